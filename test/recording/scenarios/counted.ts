import type { Json } from '../actions/action.ts';
import { ask, type Episode, land, manage, type Script, sponsors, withPolicy } from './script.ts';
import { ownedBy } from './set-up.ts';

const windows = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'EVER'] as const;
const wei = (tenths: number) => String(BigInt(tenths) * 10n ** 14n);

/** A limit that a few operations use up. */
function smallLimit({ random }: Script, per: 'SENDER' | 'SUBJECT' | 'TOTAL'): Json {
  const unit = random.pick(['OPERATIONS', 'WEI', 'USD'] as const);
  const max = { OPERATIONS: '2', WEI: wei(12), USD: '2.5' }[unit];
  const limit = { per, window: random.pick(windows), unit, max };
  const method = random.pick([{}, { method: 'increment' }] as const);
  return unit === 'USD' || random.chance(0.6) ? limit : { ...limit, contract: '{{@target}}', ...method };
}

/** Limits of a policy: used up, given back by expiry, used again in the next window, raised and lowered. */
const limited: Episode = (script) => {
  const { random, add } = script;
  const of = random.pick(sponsors);
  const owner = `limited ${random.below(6)}`;
  const limits = [smallLimit(script, 'SENDER'), smallLimit(script, 'TOTAL')];
  withPolicy(script, of, { limits }, () => {
    const some = () =>
      Array.from({ length: 3 }, (_, index) =>
        ask(script, of, { operation: { owner, nonceKey: 20 + index, calls: ['increment', 'increment'] } }),
      );
    const lines = some();
    land(script, lines, 0.5);
    add({ do: 'core', call: 'getAllowance', input: allowanceOf(of) });
    add({ do: 'pass', seconds: random.pick([700, 3_600, 86_400]) });
    manage(script, of, 'setPolicy', { policy: { $policy: { limits: [...limits, smallLimit(script, 'TOTAL')] } } });
    land(script, some(), 0.5);
  });
};

const allowanceOf = (of: string) => ({ apiKey: `{{${of}.apiKey}}`, chainId: '{{@chain}}', sender: '{{#stranger}}' });

/** Budgets of an account, over several paymasters. */
const budgeted: Episode = (script) => {
  const { random, add } = script;
  const { accountId, paymasterId } = ownedBy('seven');
  const window = random.pick(['day', 'week', 'month', 'ever'] as const);
  const terms = { name: 'budget', maxUsdMicros: { $wei: '6000000' }, window };
  const some = random.chance(0.5) ? { ...terms, paymasterIds: [paymasterId] } : terms;
  add({ do: 'core', call: 'createBudget', input: { accountId, terms: some }, as: 'budget' });
  const owner = `budgeted ${random.below(6)}`;
  // No budget of one account counts what another one sponsors.
  ask(script, 'other', { operation: { limits: 'plain' } });
  const ofEach = () => [
    ask(script, 'seven', { operation: { owner, limits: 'plain' } }),
    ask(script, 'eight', { operation: { owner, limits: 'plain' } }),
    ask(script, 'six', { operation: { owner, limits: 'plain' } }),
  ];
  land(script, ofEach());
  const raised = { ...terms, maxUsdMicros: { $wei: '9000000' } };
  const input = { accountId, budgetId: '{{budget.budgetId}}' };
  add({ do: 'core', call: 'replaceBudget', input: { ...input, terms: raised } });
  add({ do: 'pass', seconds: random.pick([10, 86_400]) });
  land(script, ofEach());
  add({ do: 'core', call: 'listBudgets', input: { accountId } });
  add({ do: 'core', call: 'deleteBudget', input });
};

/** Additional apiKeys with rules, that end or are replaced. */
const keyed: Episode = (script) => {
  const { random, deal } = script;
  const of = random.pick(sponsors);
  const unit = random.pick(['operations', 'wei', 'usdMicros'] as const);
  const max = { operations: '1', wei: wei(12), usdMicros: '2500000' }[unit];
  const window = random.pick(['hour', 'day', 'ever'] as const);
  const rules = {
    origins: ['https://app.example.com'],
    networks: ['10.0.0.0/8'],
    methods: deal('methods of keys', [[], ['pm_getPaymasterData']] as const),
    limits: [{ window, unit, max: { $wei: max } }],
    ...(deal('rated keys', [false, false, true]) ? { rate: { perSecond: 1, burst: 2 } } : {}),
  };
  const key = manage(script, of, 'createApiKey', { name: 'key', rules });
  const apiKey = `{{${key}.apiKey}}`;
  const method = 'sponsorUserOperation';
  const arrival = { method: 'pm_getPaymasterData', origin: 'https://app.example.com', address: '10.1.2.3' };
  const lines = [
    ask(script, of, { method, apiKey, arrival }),
    ask(script, of, { method, apiKey, arrival }),
    ask(script, of, { method, apiKey, arrival: { ...arrival, origin: 'https://elsewhere.example.com' } }),
    ask(script, of, { method, apiKey, arrival: { ...arrival, address: '192.0.2.1' } }),
    ask(script, of, { method, apiKey, arrival: { ...arrival, method: 'pm_sponsorUserOperation' } }),
  ];
  const apiKeyId = `{{${key}.record.apiKeyId}}`;
  manage(script, of, 'updateApiKey', { apiKeyId, disabled: true });
  ask(script, of, { method, apiKey, arrival });
  manage(script, of, 'updateApiKey', { apiKeyId, disabled: false });
  const next = manage(script, of, 'rotateApiKey', { apiKeyId, graceSeconds: random.pick([0, 60]) });
  lines.push(ask(script, of, { method, apiKey, arrival }));
  lines.push(ask(script, of, { method, apiKey: `{{${next}.apiKey}}`, arrival }));
  land(script, lines);
  manage(script, of, 'endApiKey', { apiKeyId: `{{${next}.record.apiKeyId}}` });
  ask(script, of, { method, apiKey: `{{${next}.apiKey}}`, arrival });
};

/** Tickets: whose they are, what they allow, how often, how long, and those that are wrong. */
const ticketed: Episode = (script) => {
  const { random, add, deal } = script;
  const of = random.pick(['six', 'seven', 'nine', 'share'] as const);
  const key = `${of}-tickets`;
  const selector = '0xd09de08a';
  const good: readonly Json[] = [
    { jti: 'once', uses: 1 },
    { jti: `few ${random.below(99)}`, uses: 2 },
    { jti: `wei ${random.below(99)}`, budget: { wei: wei(12) } },
    { jti: `usd ${random.below(99)}`, budget: { usd: '2.5' } },
    { sub: `user ${random.below(5)}` },
    { calls: [{ to: '{{@target}}', selector }] },
  ];
  const bad: readonly Json[] = [
    { exp: { $in: -10 } },
    { exp: { $in: 10_000_000 } },
    { iat: { $in: 5_000 } },
    { nbf: { $in: 5_000 } },
    { aud: 'another' },
    { sender: '{{#stranger}}' },
    { calls: [] },
    { calls: [{ to: '{{#stranger}}' }] },
    { sub: '' },
    { exp: { $in: 20 } },
  ];
  const calls: readonly Json[] = [{ calls: [{ to: '{{@target}}', selector }] }, {}];
  const limits = [smallLimit(script, 'SUBJECT')];
  withPolicy(script, of, { requireTicket: true, allowAccountDeployment: true, limits }, () => {
    const ticket = { key, claims: deal('good tickets', good) };
    const lines = [0, 1, 2].map(() => ask(script, of, { ticket }));
    for (let count = 0; count < 4; count += 1) ask(script, of, { ticket: { key, claims: deal('bad tickets', bad) } });
    ask(script, of, { ticket: { key, claims: deal('tickets of calls', calls) }, operation: { deploysOnly: true } });
    ask(script, of, { ticket: { key: random.pick(['eight-tickets', key]), claims: {} } });
    ask(script, of, {
      context: { mode: 'SPONSORED', ticket: deal('no tickets', ['a.b.c', 'none', 'x'.repeat(9_000)]) },
    });
    ask(script, of);
    land(script, lines);
    if (random.chance(0.3)) add({ do: 'pass', seconds: 650 });
    land(script, [ask(script, of, { ticket })]);
  });
};

/** Webhooks that approve, refuse, or are down. */
const asking: Episode = (script) => {
  const { random, deal } = script;
  const of = random.pick(['six', 'seven', 'nine', 'share'] as const);
  const answer = deal('webhooks', ['approves', 'refuses', 'unclear', 'down'] as const);
  const [requestType, payload] = random.pick([
    ['POST', 'OPERATION'],
    ['POST', 'DATA'],
    ['GET', 'DATA'],
  ] as const);
  const webhook = { webhookUrl: `{{@webhooks}}/${answer}`, requestType, payload };
  const hook = manage(script, of, 'createWebhook', webhook);
  const context = { mode: 'SPONSORED', webhookDataJson: '{"order":7}' };
  const lines = [0, 1, 2].map(() => ask(script, of, { context }));
  ask(script, of, { method: 'getPaymasterStubData', context });
  ask(script, of, { isDry: true, context });
  land(script, lines);
  if (random.chance(0.3)) {
    manage(script, of, 'updateWebhook', { webhookId: `{{${hook}.webhookId}}`, active: false });
    land(script, [ask(script, of, { context })]);
  }
  manage(script, of, 'deleteWebhook', { webhookId: `{{${hook}.webhookId}}` });
};

/** What account holders change meanwhile: contracts, keys, the wallet, a pause, and in the end a paymaster less. */
const changed: Episode = (script) => {
  const { random, add, deal } = script;
  const of = random.pick(['six', 'eight'] as const);
  const address = '{{@target}}';
  const change = deal('changes', ['contract', 'pause', 'wallet', 'retire'] as const);
  const line = ask(script, of);
  if (change === 'contract') {
    manage(script, of, 'updateSmartContract', { address, whitelistedMethods: ['pay'] });
    ask(script, of);
    manage(script, of, 'deleteSmartContract', { address });
    ask(script, of);
    const contract = { name: 'target', address, abi: '{{@abi}}', whitelistedMethods: ['increment', 'pay', 'record'] };
    manage(script, of, 'registerSmartContract', contract);
  }
  if (change === 'pause') {
    manage(script, of, 'updatePaymaster', { paused: true });
    ask(script, of);
    manage(script, of, 'updatePaymaster', { paused: false });
  }
  if (change === 'wallet') {
    add({ do: 'fund', of, wallet: 'wallet 3' });
    ask(script, of);
    add({ do: 'fund', of, wallet: 'wallet 0' });
  }
  if (change === 'retire') {
    const { accountId } = ownedBy(of);
    const owned = { accountId, paymasterId: '{{short-lived.paymasterId}}' };
    const created = {
      accountId,
      name: 'short-lived',
      type: 'HYBRID',
      chainId: '{{@chain}}',
      version: '{{six.version}}',
    };
    add({ do: 'core', call: 'createPaymaster', input: created, as: 'short-lived' });
    ask(script, of, { apiKey: '{{short-lived.apiKey}}' });
    add({ do: 'core', call: 'retirePaymaster', input: { ...owned, name: 'short-lived' } });
    ask(script, of, { apiKey: '{{short-lived.apiKey}}' });
  }
  ask(script, of);
  land(script, [line]);
};

export const countedEpisodes: readonly Episode[] = [
  limited,
  limited,
  budgeted,
  keyed,
  ticketed,
  asking,
  asking,
  changed,
];
