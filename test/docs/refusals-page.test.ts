import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rpcRefusals } from '../../contract/rpc/refusals.ts';
import { knownAaCodes } from '../../core/gas/failures/aa-codes.ts';
import { renderMarkdown } from '../../gateway/docs/markdown.ts';
import { root } from '../../tools/prose/find-markdown-files.ts';
import { aaCodeHelp } from '../../tools/refusals/aa-code-help.ts';
import { refusalHelp } from '../../tools/refusals/refusal-help.ts';

const html = renderMarkdown(readFileSync(join(root, 'docs/refusals.md'), 'utf8'), (target) => target);
const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

test('every reason and every AA code has an anchor of its own', () => {
  const wanted = [...Object.keys(rpcRefusals), ...knownAaCodes].map((name) => name.toLowerCase());
  expect(wanted.filter((name) => !anchors.has(name))).toEqual([]);
  expect(Object.keys(aaCodeHelp).filter((code) => !knownAaCodes.includes(code))).toEqual([]);
});

const small = new Set('the and for with that this was has have its not are one from what which than then'.split(' '));
function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return [...new Set(words.map((word) => word.replace(/(ed|ing|s)$/, '')))].filter((word) => !small.has(word));
}

/** The share of the first text's words that the second one has too. */
function sharedShare(one: string, other: string): number {
  const others = new Set(contentWords(other));
  const words = contentWords(one);
  return words.filter((word) => others.has(word)).length / Math.max(1, words.length);
}

test('an entry says more than its meaning and its name: no fix repeats them', () => {
  const circular = Object.entries(refusalHelp).flatMap(([reason, { app, owner }]) => {
    const { meaning } = rpcRefusals[reason as keyof typeof rpcRefusals];
    const known = `${meaning} ${reason.replaceAll('_', ' ')}`;
    return [app, owner].filter((text) => sharedShare(text, known) >= 0.5).map((text) => `${reason}: ${text}`);
  });
  expect(circular).toEqual([]);
});

test('finds a fix that only repeats what is wrong', () => {
  expect(
    sharedShare('The operation would fail on chain.', 'The operation would fail on chain. ESTIMATION FAILED'),
  ).toBe(1);
});
