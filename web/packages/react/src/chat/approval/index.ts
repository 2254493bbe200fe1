export { Decided } from "./decided.js";
export { QuestionCard, type QuestionCardProps } from "./question-card.js";
export { type AskedCall, askedOf, kindOfQuestion } from "./question.js";
export { askWords } from "./words.js";
