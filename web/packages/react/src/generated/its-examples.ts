// Generated from the components: UPDATE=1 cargo test -p forestage-its --test typescript
import type { ItsComponents } from "./its.js";

/** Examples of every component; the first is that of the contract. */
export const examples: { [N in keyof ItsComponents]: Array<{ about: string } & ItsComponents[N]> } = {
  "its:render_learning_track_carousel": [
    {
      "about": "two tracks",
      "arguments": {
        "tracks": [
          {
            "track_id": "track_01",
            "title": "First steps in algebra",
            "description": "What letters do in sums, and how equations are solved.",
            "image_url": "https://example.com/images/algebra.png",
            "tags": [
              "math",
              "beginner",
              "algebra"
            ]
          },
          {
            "track_id": "track_02",
            "title": "Calculus for the brave",
            "description": "Slopes and areas, taken seriously.",
            "image_url": "https://example.com/images/calculus.png",
            "tags": [
              "math",
              "advanced",
              "calculus"
            ]
          }
        ]
      },
      "answer": {
        "selected_track_id": "track_01"
      }
    }
  ],
  "its:render_skill_slider": [
    {
      "about": "from 0 to 10",
      "arguments": {
        "skill_id": "skill_js_arrays",
        "skill_name": "JavaScript arrays",
        "prompt_text": "How well do you know the methods of arrays?",
        "min_value": 0,
        "max_value": 10,
        "current_value": 3,
        "step": 1
      },
      "answer": {
        "skill_id": "skill_js_arrays",
        "selected_value": 7
      }
    },
    {
      "about": "in steps of 25",
      "arguments": {
        "skill_id": "skill_sql",
        "skill_name": "SQL",
        "prompt_text": "How sure are you, in percent?",
        "min_value": 0,
        "max_value": 100,
        "step": 25
      },
      "answer": {
        "skill_id": "skill_sql",
        "selected_value": 75
      }
    }
  ],
  "its:render_topic_buttons": [
    {
      "about": "three topics",
      "arguments": {
        "prompt_text": "Where shall we go on?",
        "buttons": [
          {
            "button_id": "btn_vars",
            "label": "Variables",
            "topic_id_payload": "topic_variables_101"
          },
          {
            "button_id": "btn_loops",
            "label": "Loops",
            "topic_id_payload": "topic_loops_101"
          },
          {
            "button_id": "btn_funcs",
            "label": "Functions",
            "topic_id_payload": "topic_functions_101"
          }
        ]
      },
      "answer": {
        "button_id_clicked": "btn_loops",
        "topic_id_payload": "topic_loops_101"
      }
    }
  ],
  "its:render_goal_selector": [
    {
      "about": "several goals",
      "arguments": {
        "prompt_text": "What do you want to reach today?",
        "goals": [
          {
            "goal_id": "goal_certification_prep",
            "description": "Get ready for the certificate",
            "icon": "certificate.svg"
          },
          {
            "goal_id": "goal_project_building",
            "description": "Build something",
            "icon": "project.svg"
          },
          {
            "goal_id": "goal_concept_understanding",
            "description": "Understand one thing well",
            "icon": "concept.svg"
          }
        ],
        "allow_multiple_selection": true
      },
      "answer": {
        "selected_goal_ids": [
          "goal_certification_prep",
          "goal_concept_understanding"
        ]
      }
    },
    {
      "about": "one goal",
      "arguments": {
        "prompt_text": "And first of all?",
        "goals": [
          {
            "goal_id": "read",
            "description": "Read"
          },
          {
            "goal_id": "write",
            "description": "Write"
          }
        ]
      },
      "answer": {
        "selected_goal_ids": [
          "write"
        ]
      }
    }
  ],
  "its:render_code_assessment": [
    {
      "about": "multiple choice",
      "arguments": {
        "assessment_id": "code_assess_mcq_01",
        "assessment_type": "mcq",
        "problem_statement": "What does this print?",
        "code_snippet": "console.log(typeof []);",
        "choices": [
          {
            "id": "choice_array",
            "text": "\"array\""
          },
          {
            "id": "choice_object",
            "text": "\"object\""
          },
          {
            "id": "choice_undefined",
            "text": "\"undefined\""
          }
        ]
      },
      "answer": {
        "assessment_id": "code_assess_mcq_01",
        "submitted_answer_id": "choice_object"
      }
    },
    {
      "about": "blocks in order, graded",
      "arguments": {
        "assessment_id": "code_assess_dnd_01",
        "assessment_type": "dnd_code_blocks",
        "problem_statement": "Put the lines in order.",
        "dnd_model": {
          "blocks": [
            {
              "id": "block_1",
              "code": "    total += n"
            },
            {
              "id": "block_2",
              "code": "print(total)"
            },
            {
              "id": "block_3",
              "code": "for n in numbers:"
            }
          ],
          "correct_order": [
            "block_3",
            "block_1",
            "block_2"
          ]
        }
      },
      "answer": {
        "assessment_id": "code_assess_dnd_01",
        "dropped_items_order": [
          "block_3",
          "block_1",
          "block_2"
        ]
      }
    },
    {
      "about": "blanks, graded one by one",
      "arguments": {
        "assessment_id": "code_assess_fill_01",
        "assessment_type": "fill_in_the_blanks",
        "problem_statement": "Fill in what is missing.",
        "code_snippet": "A ___blank_1___ that can change begins with ___blank_2___.",
        "blank_fields": [
          {
            "blank_id": "blank_1",
            "label": "what it is",
            "correct_answers": [
              "variable",
              "binding"
            ]
          },
          {
            "blank_id": "blank_2",
            "label": "the keyword",
            "correct_answers": [
              "let"
            ]
          }
        ]
      },
      "answer": {
        "assessment_id": "code_assess_fill_01",
        "filled_blanks": [
          {
            "blank_id": "blank_1",
            "user_input": "variable"
          },
          {
            "blank_id": "blank_2",
            "user_input": "let"
          }
        ]
      }
    }
  ],
  "its:render_skill_mapper": [
    {
      "about": "three skills",
      "arguments": {
        "mapper_id": "skillmap_frontend_basics",
        "skills": [
          {
            "skill_id": "html_basics",
            "skill_name": "HTML",
            "current_rating": 4,
            "max_rating": 5,
            "description": "Tags and structure."
          },
          {
            "skill_id": "css_flexbox",
            "skill_name": "Flexbox",
            "current_rating": 2,
            "max_rating": 5,
            "description": "Boxes in rows and columns."
          },
          {
            "skill_id": "js_dom_manip",
            "skill_name": "The DOM",
            "current_rating": 3,
            "max_rating": 5,
            "description": "Pages that change.",
            "tags": [
              "javascript"
            ]
          }
        ]
      },
      "answer": {
        "mapper_id": "skillmap_frontend_basics",
        "updated_skills": [
          {
            "skill_id": "css_flexbox",
            "new_rating": 3
          }
        ]
      }
    }
  ],
  "its:render_time_selector": [
    {
      "about": "from one day to another",
      "arguments": {
        "selector_id": "availability_selector_01",
        "selection_type": "date_range",
        "prompt_text": "When do you have time next week?",
        "min_datetime": "2024-09-01T00:00:00Z",
        "max_datetime": "2024-09-07T23:59:59Z"
      },
      "answer": {
        "selector_id": "availability_selector_01",
        "selection": {
          "start_date": "2024-09-02",
          "end_date": "2024-09-04"
        }
      }
    },
    {
      "about": "a moment",
      "arguments": {
        "selector_id": "selector_datetime",
        "selection_type": "datetime",
        "prompt_text": "When shall we meet?",
        "min_datetime": "2024-09-01T00:00:00Z",
        "max_datetime": "2024-09-07T23:59:59Z"
      },
      "answer": {
        "selector_id": "selector_datetime",
        "selection": {
          "selected_datetime": "2024-09-02T10:00:00Z"
        }
      }
    },
    {
      "about": "a day",
      "arguments": {
        "selector_id": "selector_date",
        "selection_type": "date",
        "prompt_text": "When is the exam?",
        "min_datetime": "2024-09-01T00:00:00Z"
      },
      "answer": {
        "selector_id": "selector_date",
        "selection": {
          "selected_date": "2024-09-05"
        }
      }
    },
    {
      "about": "a time of the day",
      "arguments": {
        "selector_id": "selector_time",
        "selection_type": "time",
        "prompt_text": "When do you get up?"
      },
      "answer": {
        "selector_id": "selector_time",
        "selection": {
          "selected_time": "07:30"
        }
      }
    },
    {
      "about": "from one time to another",
      "arguments": {
        "selector_id": "selector_time_range",
        "selection_type": "time_range",
        "prompt_text": "When do you learn best?",
        "min_datetime": "2024-09-01T08:00:00Z",
        "max_datetime": "2024-09-01T20:00:00Z"
      },
      "answer": {
        "selector_id": "selector_time_range",
        "selection": {
          "start_time": "09:00",
          "end_time": "11:30"
        }
      }
    }
  ],
  "its:render_preference_cards": [
    {
      "about": "ways to learn",
      "arguments": {
        "preference_set_id": "learning_style_prefs",
        "prompt_text": "How do you like to learn?",
        "cards": [
          {
            "card_id": "style_visual",
            "title": "By eye",
            "description": "Pictures, diagrams and films.",
            "icon": "eye"
          },
          {
            "card_id": "style_auditory",
            "title": "By ear",
            "description": "Lectures and talks.",
            "icon": "ear"
          },
          {
            "card_id": "style_kinesthetic",
            "title": "By hand",
            "description": "Trying things out.",
            "icon": "hand-pointer"
          }
        ],
        "allow_multiple_selection": true
      },
      "answer": {
        "preference_set_id": "learning_style_prefs",
        "selected_card_ids": [
          "style_visual",
          "style_kinesthetic"
        ]
      }
    }
  ],
  "its:render_interactive_code_editor": [
    {
      "about": "a function to complete",
      "arguments": {
        "editor_id": "code_editor_python_01",
        "language": "python",
        "initial_code": "def greet(name):\n  print(f\"Hello, {name}!\")\n\ngreet(\"World\")",
        "problem_description": "Greet somebody by name.",
        "config": {
          "show_run_button": true
        }
      },
      "answer": {
        "editor_id": "code_editor_python_01",
        "current_code": "def greet(name):\n  print(f\"Hello, {name}!\")\n\ngreet(\"Learner\")",
        "action": "submit_code"
      }
    }
  ],
  "its:render_diagram_viewer": [
    {
      "about": "to look at",
      "arguments": {
        "diagram_id": "concept_map_photosynthesis_01",
        "diagram_data": "graph TD;\nA[Light] --> B(Chloroplasts);\nB --> C{Light reactions};\nC --> D[ATP and NADPH];\nD --> E{Calvin cycle};\nE --> F[Glucose];",
        "diagram_type": "mermaid",
        "caption": "From light to sugar",
        "interactive": false
      },
      "answer": {
        "diagram_id": "concept_map_photosynthesis_01",
        "interaction_type": "acknowledged"
      }
    },
    {
      "about": "to click on",
      "arguments": {
        "diagram_id": "concept_map_photosynthesis_02",
        "diagram_data": "graph TD;\nA[Light] --> B(Chloroplasts);\nB --> C{Light reactions};\nC --> D[ATP and NADPH];\nD --> E{Calvin cycle};\nE --> F[Glucose];",
        "diagram_type": "mermaid",
        "interactive": true
      },
      "answer": {
        "diagram_id": "concept_map_photosynthesis_02",
        "interaction_type": "node_click",
        "node_id": "E"
      }
    }
  ],
  "its:render_dnd_exercise": [
    {
      "about": "terms and what they mean",
      "arguments": {
        "exercise_id": "dnd_match_terms_01",
        "prompt_text": "What is what?",
        "draggables": [
          {
            "id": "term_variable",
            "label": "Variable",
            "group": "terms"
          },
          {
            "id": "term_function",
            "label": "Function",
            "group": "terms"
          }
        ],
        "drop_zones": [
          {
            "id": "def_storage",
            "label": "Keeps a value",
            "accepts_group": "terms"
          },
          {
            "id": "def_block",
            "label": "Does a piece of work",
            "accepts_group": "terms"
          }
        ]
      },
      "answer": {
        "exercise_id": "dnd_match_terms_01",
        "mapping": [
          {
            "draggable_id": "term_variable",
            "drop_zone_id": "def_storage"
          },
          {
            "draggable_id": "term_function",
            "drop_zone_id": "def_block"
          }
        ]
      }
    }
  ],
  "its:render_progress_visualizer": [
    {
      "about": "milestones",
      "arguments": {
        "visualizer_id": "module1_progress",
        "type": "milestones",
        "title": "Module 1: Python",
        "milestones": [
          {
            "name": "Basics",
            "achieved": true,
            "target_value": 25
          },
          {
            "name": "Types",
            "achieved": true,
            "target_value": 50
          },
          {
            "name": "Loops and branches",
            "achieved": false,
            "target_value": 75
          },
          {
            "name": "Quiz",
            "achieved": false,
            "target_value": 100
          }
        ]
      },
      "answer": {}
    },
    {
      "about": "a bar, and that it was seen",
      "arguments": {
        "visualizer_id": "module2_progress",
        "type": "bar",
        "current_progress": 40,
        "total_value": 100
      },
      "answer": {
        "visualizer_id": "module2_progress",
        "action": "acknowledged"
      }
    }
  ],
  "its:render_quick_quiz": [
    {
      "about": "one of three",
      "arguments": {
        "quiz_id": "quiz_capital_france_001",
        "question_text": "What is the capital of France?",
        "options": [
          {
            "id": "option_paris",
            "text": "Paris"
          },
          {
            "id": "option_london",
            "text": "London"
          },
          {
            "id": "option_berlin",
            "text": "Berlin"
          }
        ],
        "quiz_type": "single-select-mcq",
        "correct_answer_id_for_fe_feedback": "option_paris"
      },
      "answer": {
        "quiz_id": "quiz_capital_france_001",
        "selected_option_id": "option_paris"
      }
    },
    {
      "about": "true or false, without a key",
      "arguments": {
        "quiz_id": "quiz_water",
        "question_text": "Water boils at the same temperature everywhere.",
        "quiz_type": "true-false",
        "options": [
          {
            "id": "true",
            "text": "True"
          },
          {
            "id": "false",
            "text": "False"
          }
        ]
      },
      "answer": {
        "selected_option_id": "false"
      }
    }
  ]
};
