import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSourceFiles, root } from '../../tools/prose/find-markdown-files.ts';

/** Pages that an operator compares with a log or a terminal. */
const pages = ['operations', 'keys', 'ledger', 'cluster', 'reference/alerts', 'reference/health-and-logs'];

/** A sentence between backticks: it begins with a capital letter and has a space, so it is no name and no command. */
function quotesIn(text: string): readonly string[] {
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replace(/\s+/g, ' '));
  return spans.filter((span) => /^[A-Z][a-z]* .*[a-z]/.test(span) && !/^(GET|POST|PUT|DELETE) /.test(span));
}

/** Texts of the program on one line each: a message may be split over lines and by values. */
const program = findSourceFiles()
  .filter((file) => /^(core|gateway|server|clients\/cli)\//.test(file))
  .map((file) =>
    readFileSync(join(root, file), 'utf8')
      .replace(/['"`]\s*\+\s*['"`]/g, '')
      .replace(/\s+/g, ' '),
  )
  .join('\n');

test.each(pages)('messages that the page %s quotes are in the program', (page) => {
  const quotes = quotesIn(readFileSync(join(root, `docs/${page}.md`), 'utf8'));
  const gone = quotes.filter((quote) => quote.split('…').some((part) => !program.includes(part.trim())));
  expect(gone).toEqual([]);
});

test('the pages quote messages, and one that no source has is found', () => {
  expect(pages.flatMap((page) => quotesIn(readFileSync(join(root, `docs/${page}.md`), 'utf8'))).length).toBeGreaterThan(
    4,
  );
  expect(quotesIn('The log has `The books were taken back`.')).toEqual(['The books were taken back']);
  expect(program).not.toContain('The books were taken back');
});
