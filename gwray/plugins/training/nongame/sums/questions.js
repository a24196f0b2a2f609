// @ts-check
/** Problems to ask in place of sums. In a copy of this folder, a file of lines {"problem", "answer"} becomes this one by
 * (echo 'export const QUESTIONS = ['; sed 's/$/,/' test.jsonl; echo '];') > questions.js
 * @type {{problem: string, answer: string}[]} */
export const QUESTIONS = [];
