import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/prose/find-markdown-files.ts';

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The lines of the TypeScript blocks of a page that hold a text, without their indentation. */
function codeLines(page: string, holding: string): readonly string[] {
  const blocks = [...read(page).matchAll(/^ *```ts\n(?<code>[\s\S]*?)^ *```/gm)].map(
    ({ groups }) => groups?.code ?? '',
  );
  const lines = blocks.filter((block) => block.includes(holding)).flatMap((block) => block.split('\n'));
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

test.each([
  ['docs/webhooks.md', 'timingSafeEqual', 'docs/examples/webhook/handler.ts'],
  ['docs/tickets.md', 'SignJWT', 'docs/examples/tickets/backend.ts'],
  ['docs/tickets.md', 'sponsorOrPay', 'docs/examples/tickets/free-then-paid.ts'],
  ['docs/tickets.md', 'prepareTokenPayment', 'docs/examples/tickets/beyond-ticket.ts'],
])('the code of %s with %s is that of %s, which a test runs', (page, holding, example) => {
  const lines = codeLines(page, holding);
  expect(lines.length).toBeGreaterThan(5);
  const there = new Set(
    read(example)
      .split('\n')
      .map((line) => line.trim()),
  );
  expect(lines.filter((line) => !there.has(line))).toEqual([]);
});
