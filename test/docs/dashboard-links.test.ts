import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docLinks, refusalPath } from '../../clients/dashboard/parts/doc-links.ts';
import { rpcRefusals } from '../../contract/rpc/refusals.ts';
import { renderMarkdown } from '../../gateway/docs/markdown.ts';
import { root } from '../../tools/prose/find-markdown-files.ts';

/** Whether a path below `/docs` leads to a page, and its heading is there. */
function isThere(path: string): boolean {
  const [page = '', anchor] = path.split('#', 2);
  const html = renderMarkdown(readFileSync(join(root, 'docs', `${page}.md`), 'utf8'), (target) => target);
  return anchor === undefined || html.includes(` id="${anchor}"`);
}

test('every link of the dashboard into the documents leads to a heading that is there', () => {
  const paths = Object.values(docLinks).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

test('a refused operation can link to every reason', () => {
  const reasons = Object.keys(rpcRefusals);
  expect(reasons).toContain('METHOD_NOT_WHITELISTED');
  expect(reasons.filter((reason) => !isThere(refusalPath(reason)))).toEqual([]);
});
