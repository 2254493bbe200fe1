export { Decided, outcomeOf } from "./decided.js";
export { QuestionCard, type QuestionCardProps, RISK_TONES, anchorOf } from "./question-card.js";
export { type AskedCall, askedOf, kindOfQuestion } from "./question.js";
export { askWords } from "./words.js";
