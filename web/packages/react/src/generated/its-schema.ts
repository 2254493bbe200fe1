// Generated from the components: UPDATE=1 cargo test -p forestage-its --test typescript
import type { ItsName } from "./its.js";
import type { Schema } from "../its/schema.js";

/** What each component shows, and the schemas of its arguments and answers. */
export const schemas: Record<ItsName, { description: string; arguments: Schema; answer: Schema }> = {
  "its:render_learning_track_carousel": {
    "description": "Shows learning tracks side by side, as a carousel or as cards; the learner picks one.",
    "arguments": {
      "type": "object",
      "properties": {
        "tracks": {
          "type": "array",
          "items": {
            "description": "A learning track.",
            "type": "object",
            "properties": {
              "track_id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "title": {
                "description": "Its title.",
                "type": "string"
              },
              "description": {
                "description": "What one learns, in a sentence or two.",
                "type": "string"
              },
              "image_url": {
                "description": "The address of a picture.",
                "type": "string",
                "format": "uri"
              },
              "tags": {
                "description": "Words to find and sort it by.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            },
            "required": [
              "track_id",
              "title",
              "description"
            ]
          },
          "description": "The tracks to choose from."
        }
      },
      "required": [
        "tracks"
      ],
      "description": "Shows learning tracks side by side, as a carousel or as cards; the learner picks one."
    },
    "answer": {
      "type": "object",
      "properties": {
        "selected_track_id": {
          "type": "string",
          "description": "The track."
        }
      },
      "required": [
        "selected_track_id"
      ],
      "description": "The track that was picked."
    }
  },
  "its:render_skill_slider": {
    "description": "Shows a slider on which learners say how well they do something.",
    "arguments": {
      "type": "object",
      "properties": {
        "skill_id": {
          "type": "string",
          "description": "The skill, as the answer calls it."
        },
        "skill_name": {
          "type": "string",
          "description": "The skill, as people call it."
        },
        "prompt_text": {
          "type": "string",
          "description": "What to do, such as: how sure are you?"
        },
        "min_value": {
          "type": "integer",
          "description": "The left end."
        },
        "max_value": {
          "type": "integer",
          "description": "The right end."
        },
        "current_value": {
          "type": "integer",
          "description": "Where the slider stands at first."
        },
        "step": {
          "type": "integer",
          "description": "How far apart the values are that can be chosen, counted from the left end.",
          "default": 1
        }
      },
      "required": [
        "skill_id",
        "skill_name",
        "prompt_text",
        "min_value",
        "max_value"
      ],
      "description": "Shows a slider on which learners say how well they do something."
    },
    "answer": {
      "type": "object",
      "properties": {
        "skill_id": {
          "type": "string",
          "description": "The skill."
        },
        "selected_value": {
          "type": "integer",
          "description": "The value, between both ends and on a step."
        }
      },
      "required": [
        "skill_id",
        "selected_value"
      ],
      "description": "Where the slider was put."
    }
  },
  "its:render_topic_buttons": {
    "description": "Shows buttons, each for a topic or a place to go to; the learner presses one.",
    "arguments": {
      "type": "object",
      "properties": {
        "prompt_text": {
          "type": "string",
          "description": "What stands above the buttons."
        },
        "buttons": {
          "type": "array",
          "items": {
            "description": "A button.",
            "type": "object",
            "properties": {
              "button_id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "label": {
                "description": "What stands on it.",
                "type": "string"
              },
              "topic_id_payload": {
                "description": "What comes back with it, as a rule the id of a topic.",
                "type": "string"
              }
            },
            "required": [
              "button_id",
              "label",
              "topic_id_payload"
            ]
          },
          "description": "The buttons."
        }
      },
      "required": [
        "buttons"
      ],
      "description": "Shows buttons, each for a topic or a place to go to; the learner presses one."
    },
    "answer": {
      "type": "object",
      "properties": {
        "button_id_clicked": {
          "type": "string",
          "description": "The button."
        },
        "topic_id_payload": {
          "type": "string",
          "description": "What that button carries."
        }
      },
      "required": [
        "button_id_clicked",
        "topic_id_payload"
      ],
      "description": "The button that was pressed."
    }
  },
  "its:render_goal_selector": {
    "description": "Shows learning goals; the learner chooses one, or several where that is allowed.",
    "arguments": {
      "type": "object",
      "properties": {
        "prompt_text": {
          "type": "string",
          "description": "What to do."
        },
        "goals": {
          "type": "array",
          "items": {
            "description": "A learning goal.",
            "type": "object",
            "properties": {
              "goal_id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "description": {
                "description": "What one wants to reach.",
                "type": "string"
              },
              "icon": {
                "description": "The name or the address of a small picture.",
                "type": "string"
              }
            },
            "required": [
              "goal_id",
              "description"
            ]
          },
          "description": "The goals to choose from."
        },
        "allow_multiple_selection": {
          "type": "boolean",
          "description": "Whether several may be chosen.",
          "default": false
        }
      },
      "required": [
        "prompt_text",
        "goals"
      ],
      "description": "Shows learning goals; the learner chooses one, or several where that is allowed."
    },
    "answer": {
      "type": "object",
      "properties": {
        "selected_goal_ids": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "The goals: at least one if there are any, and no more than one unless several may be chosen."
        }
      },
      "required": [
        "selected_goal_ids"
      ],
      "description": "The goals that were chosen."
    }
  },
  "its:render_code_assessment": {
    "description": "Shows a question about code: choose one of several answers, put blocks of code in order, or fill in blanks.",
    "arguments": {
      "type": "object",
      "properties": {
        "assessment_id": {
          "type": "string",
          "description": "What the answer calls it."
        },
        "assessment_type": {
          "description": "What kind of question it is.",
          "type": "string",
          "enum": [
            "mcq",
            "dnd_code_blocks",
            "fill_in_the_blanks"
          ]
        },
        "problem_statement": {
          "type": "string",
          "description": "The question, or what to do."
        },
        "code_snippet": {
          "type": "string",
          "description": "The code it is about. It may have places for blanks."
        },
        "choices": {
          "type": "array",
          "items": {
            "description": "An answer to choose.",
            "type": "object",
            "properties": {
              "id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "text": {
                "description": "What it says.",
                "type": "string"
              }
            },
            "required": [
              "id",
              "text"
            ]
          },
          "description": "The answers to choose from; needed for `mcq`."
        },
        "dnd_model": {
          "type": "object",
          "additionalProperties": true,
          "description": "What can be dragged and where it can be dropped, in whatever form the component wants; needed for\n`dnd_code_blocks`."
        },
        "blank_fields": {
          "type": "array",
          "items": {
            "description": "A blank in the code.",
            "type": "object",
            "properties": {
              "blank_id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "label": {
                "description": "A name or a hint beside it.",
                "type": "string"
              },
              "correct_answers": {
                "description": "What is right there; any of these is. It goes to the client with the rest.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            },
            "required": [
              "blank_id"
            ]
          },
          "description": "The blanks; needed for `fill_in_the_blanks`."
        }
      },
      "required": [
        "assessment_id",
        "assessment_type",
        "problem_statement"
      ],
      "description": "Shows a question about code: choose one of several answers, put blocks of code in order, or fill in blanks."
    },
    "answer": {
      "type": "object",
      "properties": {
        "assessment_id": {
          "type": "string",
          "description": "The question."
        },
        "submitted_answer_id": {
          "type": "string",
          "description": "The answer that was chosen, for `mcq`."
        },
        "dropped_items_order": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "The blocks from top to bottom, for `dnd_code_blocks`."
        },
        "filled_blanks": {
          "type": "array",
          "items": {
            "description": "What was filled into a blank.",
            "type": "object",
            "properties": {
              "blank_id": {
                "description": "The blank.",
                "type": "string"
              },
              "user_input": {
                "description": "The text.",
                "type": "string"
              }
            },
            "required": [
              "blank_id",
              "user_input"
            ]
          },
          "description": "What was filled in, for `fill_in_the_blanks`."
        }
      },
      "required": [
        "assessment_id"
      ],
      "description": "What was answered. The kind of question says which part is there beside the id."
    }
  },
  "its:render_skill_mapper": {
    "description": "Shows several skills and how well each is mastered; learners may change the ratings.",
    "arguments": {
      "type": "object",
      "properties": {
        "mapper_id": {
          "type": "string",
          "description": "What the answer calls this map."
        },
        "skills": {
          "type": "array",
          "items": {
            "description": "A skill on the map.",
            "type": "object",
            "properties": {
              "skill_id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "skill_name": {
                "description": "What people call it.",
                "type": "string"
              },
              "current_rating": {
                "description": "How well it is mastered, from 0 to `max_rating`; said by the learner or found out.",
                "type": "integer"
              },
              "max_rating": {
                "description": "The best rating there is.",
                "type": "integer"
              },
              "description": {
                "description": "What it is.",
                "type": "string"
              },
              "tags": {
                "description": "Words to sort it by.",
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            },
            "required": [
              "skill_id",
              "skill_name",
              "max_rating"
            ]
          },
          "description": "The skills."
        }
      },
      "required": [
        "mapper_id",
        "skills"
      ],
      "description": "Shows several skills and how well each is mastered; learners may change the ratings."
    },
    "answer": {
      "type": "object",
      "properties": {
        "mapper_id": {
          "type": "string",
          "description": "The map."
        },
        "updated_skills": {
          "type": "array",
          "items": {
            "description": "A skill with a new rating.",
            "type": "object",
            "properties": {
              "skill_id": {
                "description": "The skill.",
                "type": "string"
              },
              "new_rating": {
                "description": "Its rating, from 0 to the best there is.",
                "type": "integer"
              }
            },
            "required": [
              "skill_id",
              "new_rating"
            ]
          },
          "description": "The skills with new ratings; the others stay as they were."
        }
      },
      "required": [
        "mapper_id",
        "updated_skills"
      ],
      "description": "The ratings that were changed."
    }
  },
  "its:render_time_selector": {
    "description": "Lets learners choose a date, a time, or a range, for instance to plan when they learn.",
    "arguments": {
      "type": "object",
      "properties": {
        "selector_id": {
          "type": "string",
          "description": "What the answer calls it."
        },
        "selection_type": {
          "description": "What is chosen.",
          "type": "string",
          "enum": [
            "date",
            "time",
            "datetime",
            "date_range",
            "time_range"
          ]
        },
        "prompt_text": {
          "type": "string",
          "description": "What to do."
        },
        "min_datetime": {
          "type": "string",
          "description": "The earliest that can be chosen.",
          "format": "date-time"
        },
        "max_datetime": {
          "type": "string",
          "description": "The latest that can be chosen.",
          "format": "date-time"
        }
      },
      "required": [
        "selector_id",
        "selection_type",
        "prompt_text"
      ],
      "description": "Lets learners choose a date, a time, or a range, for instance to plan when they learn."
    },
    "answer": {
      "type": "object",
      "properties": {
        "selector_id": {
          "type": "string",
          "description": "The component."
        },
        "selection": {
          "type": "object",
          "properties": {
            "selected_date": {
              "type": "string",
              "description": "For `date`: the day.",
              "format": "date"
            },
            "selected_time": {
              "type": "string",
              "description": "For `time`: the time of the day, such as `09:30`."
            },
            "selected_datetime": {
              "type": "string",
              "description": "For `datetime`: the moment, with a time zone.",
              "format": "date-time"
            },
            "start_date": {
              "type": "string",
              "description": "For `date_range`: the first day.",
              "format": "date"
            },
            "end_date": {
              "type": "string",
              "description": "For `date_range`: the last day.",
              "format": "date"
            },
            "start_time": {
              "type": "string",
              "description": "For `time_range`: when it begins, such as `09:30`."
            },
            "end_time": {
              "type": "string",
              "description": "For `time_range`: when it ends."
            }
          },
          "description": "The members that belong to what was to be chosen."
        }
      },
      "required": [
        "selector_id",
        "selection"
      ],
      "description": "What was chosen."
    }
  },
  "its:render_preference_cards": {
    "description": "Shows cards, such as ways to learn; learners choose those that they prefer.",
    "arguments": {
      "type": "object",
      "properties": {
        "preference_set_id": {
          "type": "string",
          "description": "What the answer calls this set of cards."
        },
        "prompt_text": {
          "type": "string",
          "description": "What to do."
        },
        "cards": {
          "type": "array",
          "items": {
            "description": "A card.",
            "type": "object",
            "properties": {
              "card_id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "title": {
                "description": "Its title.",
                "type": "string"
              },
              "description": {
                "description": "What choosing it means.",
                "type": "string"
              },
              "image_url": {
                "description": "The address of a picture.",
                "type": "string",
                "format": "uri"
              },
              "icon": {
                "description": "The name of a small picture.",
                "type": "string"
              }
            },
            "required": [
              "card_id",
              "title",
              "description"
            ]
          },
          "description": "The cards."
        },
        "allow_multiple_selection": {
          "type": "boolean",
          "description": "Whether several may be chosen.",
          "default": true
        }
      },
      "required": [
        "preference_set_id",
        "prompt_text",
        "cards"
      ],
      "description": "Shows cards, such as ways to learn; learners choose those that they prefer."
    },
    "answer": {
      "type": "object",
      "properties": {
        "preference_set_id": {
          "type": "string",
          "description": "The set of cards."
        },
        "selected_card_ids": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "The cards. None at all is an answer, too."
        }
      },
      "required": [
        "preference_set_id",
        "selected_card_ids"
      ],
      "description": "The cards that were chosen."
    }
  },
  "its:render_interactive_code_editor": {
    "description": "Shows an editor in which learners write, change and run code.",
    "arguments": {
      "type": "object",
      "properties": {
        "editor_id": {
          "type": "string",
          "description": "What the answer calls it."
        },
        "language": {
          "type": "string",
          "enum": [
            "python",
            "javascript",
            "java",
            "html",
            "css"
          ],
          "description": "The language, for colours and for running it."
        },
        "initial_code": {
          "type": "string",
          "description": "What is in the editor at first."
        },
        "problem_description": {
          "type": "string",
          "description": "What to do."
        },
        "config": {
          "type": "object",
          "properties": {
            "read_only": {
              "type": "boolean",
              "description": "Whether the code can only be looked at.",
              "default": false
            },
            "show_run_button": {
              "type": "boolean",
              "description": "Whether the code can be run.",
              "default": true
            },
            "expected_output": {
              "type": "string",
              "description": "What the code should print."
            }
          },
          "description": "How the editor behaves."
        }
      },
      "required": [
        "editor_id",
        "language"
      ],
      "description": "Shows an editor in which learners write, change and run code."
    },
    "answer": {
      "type": "object",
      "properties": {
        "editor_id": {
          "type": "string",
          "description": "The editor."
        },
        "current_code": {
          "type": "string",
          "description": "What is in the editor."
        },
        "action": {
          "description": "What was done.",
          "type": "string",
          "enum": [
            "submit_code",
            "run_code"
          ]
        },
        "output": {
          "type": "string",
          "description": "For `run_code`: what the code printed where the client has run it. Not in the contract."
        }
      },
      "required": [
        "editor_id",
        "current_code",
        "action"
      ],
      "description": "The code, and what was done with it."
    }
  },
  "its:render_diagram_viewer": {
    "description": "Shows a diagram: Mermaid, draw.io, or a picture.",
    "arguments": {
      "type": "object",
      "properties": {
        "diagram_id": {
          "type": "string",
          "description": "What the answer calls it."
        },
        "diagram_data": {
          "type": "string",
          "description": "Its source, or the address of a picture."
        },
        "diagram_type": {
          "description": "What kind of source it is.",
          "type": "string",
          "enum": [
            "mermaid",
            "drawio_xml",
            "image_url"
          ]
        },
        "caption": {
          "type": "string",
          "description": "What stands below it."
        },
        "interactive": {
          "type": "boolean",
          "description": "Whether one can do something with it, such as clicking on nodes.",
          "default": false
        }
      },
      "required": [
        "diagram_id",
        "diagram_data",
        "diagram_type"
      ],
      "description": "Shows a diagram: Mermaid, draw.io, or a picture."
    },
    "answer": {
      "type": "object",
      "properties": {
        "diagram_id": {
          "type": "string",
          "description": "The diagram; needed if it is interactive."
        },
        "interaction_type": {
          "type": "string",
          "description": "What was done, such as `node_click` or `acknowledged`; needed if it is interactive."
        },
        "node_id": {
          "type": "string",
          "description": "The node that was clicked; needed for `node_click`."
        }
      },
      "description": "What was done with the diagram."
    }
  },
  "its:render_dnd_exercise": {
    "description": "Shows things to drag and zones to drop them in; learners match them.",
    "arguments": {
      "type": "object",
      "properties": {
        "exercise_id": {
          "type": "string",
          "description": "What the answer calls it."
        },
        "prompt_text": {
          "type": "string",
          "description": "What to do."
        },
        "draggables": {
          "type": "array",
          "items": {
            "description": "Something to drag.",
            "type": "object",
            "properties": {
              "id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "label": {
                "description": "What stands on it.",
                "type": "string"
              },
              "group": {
                "description": "The group it belongs to.",
                "type": "string"
              }
            },
            "required": [
              "id",
              "label"
            ]
          },
          "description": "What can be dragged."
        },
        "drop_zones": {
          "type": "array",
          "items": {
            "description": "Where to drop things.",
            "type": "object",
            "properties": {
              "id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "label": {
                "description": "What stands on it.",
                "type": "string"
              },
              "accepts_group": {
                "description": "The only group that it takes; without it, it takes everything.",
                "type": "string"
              }
            },
            "required": [
              "id",
              "label"
            ]
          },
          "description": "Where it can be dropped."
        }
      },
      "required": [
        "exercise_id",
        "prompt_text",
        "draggables",
        "drop_zones"
      ],
      "description": "Shows things to drag and zones to drop them in; learners match them."
    },
    "answer": {
      "type": "object",
      "properties": {
        "exercise_id": {
          "type": "string",
          "description": "The exercise."
        },
        "mapping": {
          "type": "array",
          "items": {
            "description": "A thing in a zone.",
            "type": "object",
            "properties": {
              "draggable_id": {
                "description": "The thing.",
                "type": "string"
              },
              "drop_zone_id": {
                "description": "The zone.",
                "type": "string"
              }
            },
            "required": [
              "draggable_id",
              "drop_zone_id"
            ]
          },
          "description": "Pairs, each thing at most once; a zone may hold several."
        }
      },
      "required": [
        "exercise_id",
        "mapping"
      ],
      "description": "What was dropped where."
    }
  },
  "its:render_progress_visualizer": {
    "description": "Shows how far the learner has come: a bar, a circle, or milestones.",
    "arguments": {
      "type": "object",
      "properties": {
        "visualizer_id": {
          "type": "string",
          "description": "What the answer calls it."
        },
        "type": {
          "description": "How it is shown.",
          "type": "string",
          "enum": [
            "bar",
            "circular",
            "milestones"
          ]
        },
        "title": {
          "type": "string",
          "description": "What stands above it."
        },
        "current_progress": {
          "type": "number",
          "description": "How far the learner is, in percent or points."
        },
        "total_value": {
          "type": "number",
          "description": "How far the learner can come, such as 100 percent."
        },
        "milestones": {
          "type": "array",
          "items": {
            "description": "A milestone.",
            "type": "object",
            "properties": {
              "name": {
                "description": "What it is called.",
                "type": "string"
              },
              "achieved": {
                "description": "Whether the learner has got there.",
                "type": "boolean"
              },
              "target_value": {
                "description": "Where on the way it stands.",
                "type": "number"
              }
            },
            "required": [
              "name",
              "achieved"
            ]
          },
          "description": "The milestones; needed for `milestones`."
        }
      },
      "required": [
        "visualizer_id",
        "type"
      ],
      "description": "Shows how far the learner has come: a bar, a circle, or milestones."
    },
    "answer": {
      "type": "object",
      "properties": {
        "visualizer_id": {
          "type": "string",
          "description": "The component."
        },
        "action": {
          "type": "string",
          "description": "What was done, such as `acknowledged`."
        }
      },
      "description": "Nothing, or that it was seen."
    }
  },
  "its:render_quick_quiz": {
    "description": "Shows a question with answers to choose from, or to be called true or false.",
    "arguments": {
      "type": "object",
      "properties": {
        "quiz_id": {
          "type": "string",
          "description": "What the answer calls it."
        },
        "question_text": {
          "type": "string",
          "description": "The question."
        },
        "options": {
          "type": "array",
          "items": {
            "description": "An answer to choose.",
            "type": "object",
            "properties": {
              "id": {
                "description": "What the answer calls it.",
                "type": "string"
              },
              "text": {
                "description": "What it says.",
                "type": "string"
              }
            },
            "required": [
              "id",
              "text"
            ]
          },
          "description": "The answers to choose from."
        },
        "quiz_type": {
          "default": "single-select-mcq",
          "description": "What kind of question it is.",
          "type": "string",
          "enum": [
            "single-select-mcq",
            "true-false"
          ]
        },
        "correct_answer_id_for_fe_feedback": {
          "type": "string",
          "description": "The right answer, if the client may know it and say so at once. The server grades by it as well."
        }
      },
      "required": [
        "quiz_id",
        "question_text",
        "options"
      ],
      "description": "Shows a question with answers to choose from, or to be called true or false."
    },
    "answer": {
      "type": "object",
      "properties": {
        "quiz_id": {
          "type": "string",
          "description": "The quiz. It may be left out, since the call says which it is."
        },
        "selected_option_id": {
          "type": "string",
          "description": "The answer that was chosen."
        }
      },
      "required": [
        "selected_option_id"
      ],
      "description": "What was chosen."
    }
  }
};
