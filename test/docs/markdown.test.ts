import { expect, test } from 'vitest';
import { resolveLink } from '../../gateway/docs/doc-pages.ts';
import { plainText, renderMarkdown } from '../../gateway/docs/markdown.ts';

const render = (text: string): string => renderMarkdown(text, (target) => resolveLink('/docs/reference/rpc', target));

test('shows signs of HTML as they are, in text, code and tables', () => {
  expect(render('a <b> & "c"')).toBe('<p>a &lt;b&gt; &amp; &quot;c&quot;</p>\n');
  expect(render('`<script>`')).toBe('<p><code>&lt;script&gt;</code></p>\n');
  expect(render('```ts\nif (a < b) {}\n```')).toBe('<pre tabindex="0"><code>if (a &lt; b) {}</code></pre>\n');
  expect(render('| a |\n| --- |\n| <i> |')).toContain('<td>&lt;i&gt;</td>');
});

test('leaves the signs of Markdown inside code alone', () => {
  expect(render('`a*b*c [d](e.md)` and **bold `x`**')).toBe(
    '<p><code>a*b*c [d](e.md)</code> and <strong>bold <code>x</code></strong></p>\n',
  );
});

test('leads links to other pages, and makes those to files of the repository text', () => {
  expect(render('[p](../reference/policies.md#budgets)')).toBe(
    '<p><a href="/docs/reference/policies#budgets">p</a></p>\n',
  );
  expect(render('[index](../README.md), [`f`](../../core/a.ts)')).toBe(
    '<p><a href="/docs">index</a>, <code>f</code></p>\n',
  );
  expect(render('[x](javascript:alert(1))')).not.toContain('href');
});

test('nests code and paragraphs in the items of a list', () => {
  const text = '1. **First.** Do it:\n\n   ```sh\n   run\n   ```\n\n   Then rest.\n2. Second\n   line';
  expect(render(text)).toBe(
    '<ol>\n<li><p><strong>First.</strong> Do it:</p>\n<pre tabindex="0"><code>run</code></pre>\n<p>Then rest.</p></li>\n' +
      '<li>Second\nline</li>\n</ol>\n',
  );
  expect(render('- one\n  - two\n- three')).toBe(
    '<ul>\n<li><p>one</p>\n<ul>\n<li>two</li>\n</ul></li>\n<li>three</li>\n</ul>\n',
  );
});

test('keeps a written | inside a cell', () => {
  expect(render('| a |\n| --- |\n| `x \\| y` |')).toContain('<td><code>x | y</code></td>');
});

test('numbers headings of the same text, and takes comments out', () => {
  const html = render('<!-- generated -->\n\n## In `code`: a & b\n\n## Same\n\n## Same');
  expect([...html.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual(['in-code-a--b', 'same', 'same-1']);
  expect(html).not.toContain('generated');
});

test('plain text for the search has the words and not the signs', () => {
  expect(plainText('## A **b** [c `d`](e.md)\n\n| f | g |\n| --- | --- |\n| h | i |')).toBe('A b c d f g h i');
});
