import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readResults, shownResults } from '../test/bench/results/bench-results.ts';
import { drawChart } from '../test/bench/results/draw-chart.ts';
import { performanceParts, readmeText, scaleParts } from '../test/bench/results/performance-tables.ts';

/**
 * `npm run bench:chart -- FILE` takes the results of a run as those that the pages show, draws their chart and writes their numbers
 * into the pages. `npm run generate` writes them again, so that no page says anything else.
 */
const [, , file] = process.argv;
// Until the first run is kept, the pages have the numbers of earlier ones.
if (file === undefined && !existsSync(shownResults)) process.exit(0);
const results = readResults(file ?? shownResults);
if (file !== undefined) writeFileSync(shownResults, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync('docs/pictures/performance.svg', drawChart(results));
writeParts('docs/performance.md', performanceParts(results));
writeParts('docs/cluster.md', scaleParts(results));
writeBetween('README.md', {
  begin: '### Is it fast enough?\n',
  end: '### How do I get out?',
  text: readmeText(results),
});

function writeParts(page: string, parts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(parts)) {
    writeBetween(page, {
      begin: `<!-- ${name}: written by \`npm run bench:chart\` -->\n`,
      end: `<!-- end of ${name} -->`,
      text,
    });
  }
}

function writeBetween(page: string, { begin, end, text }: { begin: string; end: string; text: string }): void {
  const whole = readFileSync(page, 'utf8');
  const from = whole.indexOf(begin) + begin.length;
  const to = whole.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`${page} has no part between "${begin.trim()}" and "${end}".`);
  writeFileSync(page, `${whole.slice(0, from)}\n${text}\n\n${whole.slice(to)}`);
}
