import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parseEther } from 'viem';
import { expect, test, vi } from 'vitest';
import { listedMetrics } from '../../tools/list-metrics.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { type Scraped, scrape, sumOf } from '../support/metrics/scrape.ts';
import { json, startPriceServer } from '../support/servers/price-server.ts';
import { approve, startWebhookServer } from '../support/servers/webhook-server.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type ProductionService, startProductionService } from '../support/service/production-service.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { alerts, dashboard, dashboardExpressions, root } from './monitoring-files.ts';

const expressions = [...alerts.map(({ expr }) => expr), ...dashboardExpressions];
const read = expressions.map((expression) => ({ expression, ...readExpression(expression) }));
const selected = read.flatMap((one) => one.selected);

/** What Prometheus adds itself, and a gateway to the metrics of several cores. */
const addedLabels = ['job', 'instance', 'pod', 'core'];

/** A histogram's numbers have the name of the histogram and an end. */
function formOf(name: string) {
  return listedMetrics.find(
    (form) =>
      form.name === name || (form.kind === 'histogram' && name.replace(/_(bucket|sum|count)$/, '') === form.name),
  );
}

test('what is no PromQL is noticed, and what an expression asks for is read', () => {
  expect(() => readExpression('sum by (chain) (rate(tollfree_x[5m])')).toThrow('Not PromQL');
  expect(readExpression('sum by (chain, le) (rate(a_total{kind="settle",status=~"5.."}[5m])) > 2')).toEqual({
    selected: [{ name: 'a_total', labels: ['kind', 'status'], equal: { kind: 'settle' } }],
    grouped: ['chain', 'le'],
  });
});

test('rules and dashboard name metrics and labels that are documented', () => {
  const strange = read.flatMap(({ expression, selected: asked, grouped }) => {
    const forms = asked.map(({ name }) => formOf(name));
    const known = [...addedLabels, 'le', ...forms.flatMap((form) => form?.labels ?? [])];
    const perMetric = asked.filter(({ name, labels }) => {
      const own = [...addedLabels, ...(formOf(name)?.labels ?? [])];
      return formOf(name) === undefined || labels.some((label) => !own.includes(label));
    });
    return perMetric.length > 0 || grouped.some((label) => !known.includes(label)) ? [expression] : [];
  });
  expect(strange).toEqual([]);
});

test('the annotations of an alert name labels that are left in its result', () => {
  const strange = alerts.filter(({ expr, annotations }) => {
    const named = [...`${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/g)];
    const all = readExpression(expr).selected.flatMap(({ name }) => formOf(name)?.labels ?? []);
    return named.some(([, label = '']) => ![...all, ...addedLabels].includes(label));
  });
  expect(strange).toEqual([]);
});

test('every alert has its own name and a row on the page about alerts that says what to do', () => {
  const page = readFileSync(join(root, 'docs/reference/alerts.md'), 'utf8');
  const names = alerts.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
  expect(
    [...page.matchAll(/\| `(Tollfree\w+)`/g)].map(([, name = '']) => name).filter((name) => !names.includes(name)),
  ).toEqual([]);
});

test('every panel of the dashboard has its own number, and what it may choose by is there', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const variables = dashboard.templating.list.map(({ name }) => name);
  const used = [...JSON.stringify(dashboard).matchAll(/"?\$\{?(\w+)/g)].map(([, name = '']) => name);
  expect([...new Set(used)].filter((name) => !variables.includes(name) && name !== '__rate_interval')).toEqual([]);
});

test('every metric is on the dashboard', () => {
  const shown = dashboardExpressions.flatMap((expression) => readExpression(expression).selected);
  const forms = shown.map(({ name }) => formOf(name));
  expect(listedMetrics.filter((form) => !forms.includes(form)).map(({ name }) => name)).toEqual([]);
});

/**
 * Only processes that speak TLS, or have a hot wallet or a remote signer, have them, or only after what they count has happened. Tests
 * of those are elsewhere.
 */
const onlyThen =
  /^tollfree_(certificate_expiry_time_seconds|hot_wallet_\w+|signer_seconds_\w+|bundler_calls_total|vendor_sponsored_usd_total)$/;

/** Whether there is a series that the selector takes, by all that it compares. A value that is rare has only to be documented. */
function isThere(samples: readonly Scraped[], { name, labels, equal }: Selected): boolean {
  const own = labels.filter((label) => !addedLabels.includes(label));
  return samples.some((sample) => {
    if (sample.name !== name || own.some((label) => sample.labels[label] === undefined)) return false;
    const help = formOf(name)?.help ?? '';
    return Object.entries(equal).every(([label, text]) => sample.labels[label] === text || help.includes(text));
  });
}

test('a service that signs, refuses and lands has every series that rules and dashboard name', async () => {
  const prices = await startPriceServer(json('{"usd":"2000"}'));
  const webhook = await startWebhookServer(approve);
  const service = await startProductionService({
    settings: (devnet) => ({
      webhooks: { allowHttp: true, allowedRanges: ['127.0.0.0/8'] },
      // A node answers as a bundler does that does not know the question.
      chain: {
        bundler: {
          url: devnet.rpcUrl,
          relay: { kind: 'ALTO', executors: [devnet.tokenRecipient], entryPoint: '0.7' },
        },
        vendor: {
          url: 'http://127.0.0.1:9/',
          accounts: 'all',
          paymasters: [devnet.tokenRecipient],
          budget: { usdPerDay: '1', usdPerMonth: '10' },
        },
        nativePrice: { sources: [{ kind: 'http', url: prices.url, path: 'usd', allowHttp: true }], minimumSources: 1 },
      },
    }),
  });
  try {
    await signRefuseAndLand(service, webhook.url);
    await vi.waitFor(async () => {
      const samples = await scrape(service.adminUrl);
      expect(sumOf(samples, 'tollfree_landed_operations_total', { success: 'yes' })).toBe(1);
      const wanted = [...selected, ...variableNames()].filter(({ name }) => !onlyThen.test(name));
      const missing = wanted.filter((one) => !isThere(samples, one)).map(({ name, equal }) => ({ name, equal }));
      expect(missing).toEqual([]);
      expect(JSON.stringify(samples)).not.toMatch(/very-secret|\/hook/);
    }, 30_000);
  } finally {
    await service.close();
  }
});

/** What the dashboard's variables are chosen from. */
function variableNames(): readonly Selected[] {
  return dashboard.templating.list.flatMap(({ query }) => {
    const [, name, label] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
    return name === undefined || label === undefined ? [] : [{ name, labels: [label], equal: {} }];
  });
}

async function signRefuseAndLand(service: ProductionService, webhookUrl: string): Promise<void> {
  const { devnet, management } = service;
  const tank = await fundedTank(service, { family: '0.7', amount: parseEther('1') });
  const { apiKey, rpcUrl } = tank;
  await management.createWebhook({ apiKey, webhookUrl, requestType: 'POST' });
  const account = newSmartAccount('0.7');
  const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  await land(devnet, account, withAnswer(operation, await sponsor(rpcUrl, operation)));
  const refused = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'fail')]);
  await askSponsorship(rpcUrl, refused);
  await mineConfirmations(devnet);
}

/** What an expression asks of one metric: labels that are compared with a text, and what they have to be. */
type Selected = {
  readonly name: string;
  readonly labels: readonly string[];
  /** Of the labels that have to be equal to one text. */
  readonly equal: Readonly<Record<string, string>>;
};

/** The metrics that an expression of PromQL names, and the labels that it groups by. Throws for one that does not parse. */
function readExpression(expression: string): {
  readonly selected: readonly Selected[];
  readonly grouped: readonly string[];
} {
  const tree = parser.parse(expression);
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  const selected: Selected[] = [];
  const grouped: string[] = [];
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${expression}`);
      if (node.name === 'GroupingLabels')
        grouped.push(
          ...textOf(node)
            .replace(/[()\s]/g, '')
            .split(',')
            .filter(Boolean),
        );
      if (node.name !== 'VectorSelector') return;
      const name = node.node.getChild('Identifier');
      if (name === null) throw new Error(`A selector without a name: ${expression}`);
      const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      const parts = matchers.map((matcher) => /^\s*(\w+)\s*(=~|!=|!~|=)\s*"(.*)"\s*$/.exec(textOf(matcher)) ?? []);
      selected.push({
        name: textOf(name),
        labels: parts.map(([, label = '']) => label),
        equal: Object.fromEntries(parts.filter(([, , sign]) => sign === '=').map(([, label, , text]) => [label, text])),
      });
    },
  });
  return { selected, grouped };
}
