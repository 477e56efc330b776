import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderMarkdown } from '../../gateway/docs/markdown.ts';
import { createProgram } from '../../server/main.ts';
import { listedMetrics } from '../../tools/list-metrics.ts';
import { root } from '../../tools/prose/find-markdown-files.ts';

function anchorsOf(page: string): readonly string[] {
  const html = renderMarkdown(readFileSync(join(root, page), 'utf8'), (target) => target);
  return [...html.matchAll(/ id="([^"]+)"/g)].flatMap(([, id]) => id ?? []);
}

test('every alert can be linked to, at its own row', () => {
  const rules: { groups: { rules: { alert?: string }[] }[] } = parse(
    readFileSync(join(root, 'deploy/prometheus/rules.yaml'), 'utf8'),
  );
  const alerts = rules.groups.flatMap((group) => group.rules.flatMap(({ alert }) => alert ?? []));
  expect(alerts.length).toBeGreaterThan(20);
  const anchors = anchorsOf('docs/reference/alerts.md');
  expect(alerts.filter((alert) => !anchors.includes(alert.toLowerCase()))).toEqual([]);
});

test('every metric can be linked to, at its own row', () => {
  const anchors = anchorsOf('docs/reference/metrics.md');
  expect(listedMetrics.map(({ name }) => name).filter((name) => !anchors.includes(name))).toEqual([]);
});

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

test('every flag of the command line can be linked to, at its own row', () => {
  const flags = leavesOf(createProgram()).flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
  expect(new Set(flags).size).toBeGreaterThan(100);
  const anchors = new Set(anchorsOf('docs/reference/cli.md'));
  expect(flags.filter((flag) => !anchors.has(flag))).toEqual([]);
});

test('settings can be linked to by their name', () => {
  const anchors = anchorsOf('docs/reference/configuration.md');
  expect(anchors).toEqual(expect.arrayContaining(['gateway.trustedproxies', 'databasefile', 'maxfeepergasceiling']));
  // Also those that share a row, and lists.
  expect(anchors).toEqual(expect.arrayContaining(['gateway.limits.requestburst', 'chains.tokens', 'signers']));
});

test('commands can be linked to, also those that share a row', () => {
  const anchors = anchorsOf('docs/reference/cli.md');
  expect(anchors).toEqual(expect.arrayContaining(['tollfree-doctor', 'tollfree-tank-show', 'tollfree-tank-statement']));
});

test('no page has an anchor twice', () => {
  for (const page of ['configuration', 'policies', 'management', 'cli', 'metrics', 'alerts', 'compatibility']) {
    const anchors = anchorsOf(`docs/reference/${page}.md`);
    expect([page, anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)]).toEqual([page, []]);
  }
});
