/** Comments and marks of HTML, and the lines that begin and end a block of code: no page shows them. */
const unseen: readonly RegExp[] = [
  /<!--[\s\S]*?-->/g,
  /^\s*(?:`{3,}|~{3,}).*$/gm,
  /<\/?(?:a|details|summary|img|picture|source|br|p|div|sub|sup|kbd)\b[^>]*>/g,
];

/** How many words a reader of a Markdown text sees, code included. The lines of tables, dashes and arrows are no words. */
export function countWords(text: string): number {
  const seen = unseen.reduce((left, pattern) => left.replace(pattern, ' '), text);
  return seen.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
