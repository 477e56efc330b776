import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a generated text into a page, between the comments that begin and end it: `<!-- <name>: written by … from <source> -->` and
 * `<!-- end of <name> -->`. Throws where the page has no such comments.
 */
export function writeBetweenMarkers(page: string, name: string, source: string, text: string): void {
  const begin = `<!-- ${name}: written by \`npm run generate\` from ${source} -->\n`;
  const [before = '', rest] = readFileSync(page, 'utf8').split(begin);
  if (rest === undefined) throw new Error(`${page} has no line ${begin}`);
  const after = rest.slice(rest.indexOf(`<!-- end of ${name} -->`));
  writeFileSync(page, `${before}${begin}\n${text}\n${after}`);
}
