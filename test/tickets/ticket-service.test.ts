import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { openStore } from '../../core/store/open-store.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { openBrowser } from '../support/browser/open-browser.ts';
import { servePage } from '../support/browser/serve-page.ts';
import { newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { messageOf, type Rpc, refusalOf, smartAccountInfo } from '../support/interface/rpc-calls.ts';
import { type HttpAnswer, sendHttp } from '../support/interface/send-http.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { newTicketPaymaster, type TicketPaymaster } from '../support/service/ticket-lab.ts';

/** Of a machine that is busy. */
const patience = { timeout: 60_000, interval: 50 };

const seconds = () => Math.floor(Date.now() / 1_000);

let service: RunningService;
let paymaster: TicketPaymaster;
let other: TicketPaymaster;
beforeAll(async () => {
  service = await startService();
  paymaster = await newTicketPaymaster(service);
  other = await newTicketPaymaster(service);
  await paymaster.client.setPolicy({ policy: { requireTicket: true } });
});
afterAll(() => service.close());

/** How a ticket is sent along. */
type Way = 'context' | 'sponsorshipInfo' | 'header';
type Sent = { readonly ticket?: string; readonly way?: Way; readonly method?: string; readonly to?: TicketPaymaster };

const newOperation = () =>
  nextOperation(service.devnet, newSmartAccount('0.7'), [targetCall(service.devnet, 'increment')]);

async function ask(operation: DevUserOperation, { ticket, way = 'context', method, to }: Sent): Promise<HttpAnswer> {
  const context = {
    mode: 'SPONSORED',
    calculateGasLimits: true,
    sponsorshipInfo: { smartAccountInfo, ...(way === 'sponsorshipInfo' && { ticket }) },
    ...(way === 'context' && { ticket }),
  };
  const sent = toRpcUserOperation(operation);
  const erc7677 = [sent, service.devnet.entryPoints['0.7'], `0x${service.devnet.chainId.toString(16)}`, context];
  const name = method ?? 'pm_sponsorUserOperation';
  const params = name.startsWith('pm_getPaymaster') ? erc7677 : [sent, context];
  return sendHttp((to ?? paymaster).rpcUrl, {
    method: 'POST',
    json: { jsonrpc: '2.0', id: 1, method: name, params },
    ...(way === 'header' && ticket !== undefined && { headers: { authorization: `Bearer ${ticket}` } }),
  });
}

/** `signed`, or the reason of the refusal. */
async function outcomeOf(sent: Sent, operation?: DevUserOperation): Promise<string> {
  const answer = await ask(operation ?? (await newOperation()), sent);
  return (answer.json as Rpc).result === undefined ? (refusalOf(answer)[2] ?? '') : 'signed';
}

describe('a policy that asks for tickets', () => {
  test('signs with one, however it is sent, and refuses without', async () => {
    for (const way of ['context', 'sponsorshipInfo', 'header'] as const) {
      expect(await outcomeOf({ ticket: await paymaster.ticket(), way }), way).toBe('signed');
      expect(await outcomeOf({ ticket: await other.ticket(), way }), way).not.toBe('signed');
    }
    expect(await outcomeOf({})).toBe('TICKET_REQUIRED');
    expect(await outcomeOf({ ticket: '' })).toBe('TICKET_REQUIRED');
  });

  test('asks in every method about an operation', async () => {
    for (const method of ['pm_getFeeQuoteOrData', 'pm_getPaymasterStubData', 'pm_getPaymasterData']) {
      expect(await outcomeOf({ method }), method).toBe('TICKET_REQUIRED');
      expect(await outcomeOf({ method, ticket: await paymaster.ticket() }), method).toBe('signed');
      expect(await outcomeOf({ method, ticket: await paymaster.ticket({ exp: 1 }) }), method).toBe('TICKET_EXPIRED');
    }
  });

  test('prefers the ticket of the context, and says why it takes none', async () => {
    const operation = await newOperation();
    const answer = await ask(operation, { ticket: 'not a ticket' });
    expect(refusalOf(answer)).toEqual([422, -32019, 'TICKET_MALFORMED']);
    expect(messageOf(answer)).toContain('not a signed JWT');
  });
});

test('a ticket of another paymaster, changed, of the future or expired is refused with its own reason', async () => {
  const good = await paymaster.ticket();
  const [head, , signature] = good.split('.');
  const [, body] = (await paymaster.ticket({ sub: 'mallory' })).split('.');
  const cases = {
    TICKET_KEY_NOT_KNOWN: await other.ticket(),
    TICKET_FOR_ANOTHER: await paymaster.ticket({ aud: 'another service' }),
    TICKET_SIGNATURE_WRONG: `${head}.${body}.${signature}`,
    TICKET_EXPIRED: await paymaster.ticket({ exp: seconds() - 1 }),
    TICKET_NOT_YET_VALID: await paymaster.ticket({ nbf: seconds() + 3_000 }),
    TICKET_LIVES_TOO_LONG: await paymaster.ticket({ exp: seconds() + 10_000_000 }),
    TICKET_MALFORMED: await paymaster.ticket({ uses: 1 }),
  };
  for (const [reason, ticket] of Object.entries(cases)) expect(await outcomeOf({ ticket })).toBe(reason);
});

test('a ticket is good for its sender and its calls alone', async () => {
  const operation = await newOperation();
  const to = service.devnet.target.address;
  const selector = targetCall(service.devnet, 'increment').data.slice(0, 10);
  const cases: readonly (readonly [claims: Record<string, unknown>, outcome: string])[] = [
    [{ sender: operation.sender.toLowerCase() }, 'signed'],
    [{ sender: to }, 'TICKET_NOT_FOR_OPERATION'],
    [{ calls: [{ to, selector }] }, 'signed'],
    [{ calls: [{ to }] }, 'signed'],
    [{ calls: [{ to: operation.sender, selector }] }, 'TICKET_NOT_FOR_OPERATION'],
    [{ calls: [{ to, selector: '0xdeadbeef' }] }, 'TICKET_NOT_FOR_OPERATION'],
  ];
  for (const [claims, outcome] of cases) {
    expect(await outcomeOf({ ticket: await paymaster.ticket(claims) }, operation), JSON.stringify(claims)).toBe(
      outcome,
    );
  }
});

test('a signature never outlives its ticket, whatever was signed before', async () => {
  const operation = await newOperation();
  const validUntil = async (ticket: string) => {
    const { result } = (await ask(operation, { ticket })).json as Rpc;
    return Number(result?.validUntil);
  };
  const long = await validUntil(await paymaster.ticket({ exp: seconds() + 3_000 }));
  const exp = seconds() + 40;
  expect(long).toBeGreaterThan(exp);
  expect(await validUntil(await paymaster.ticket({ exp }))).toBe(exp);
});

test('one use is one operation: the stub takes none, a repeated request none, the next operation is refused', async () => {
  const [first, second] = [await newOperation(), await newOperation()];
  const ticket = await paymaster.ticket({ jti: 'once', uses: 1 });
  expect(await outcomeOf({ ticket, method: 'pm_getPaymasterStubData' }, second)).toBe('signed');
  expect(await outcomeOf({ ticket }, first)).toBe('signed');
  expect(await outcomeOf({ ticket }, first)).toBe('signed');
  const refused = await ask(second, { ticket });
  expect(refusalOf(refused)[2]).toBe('TICKET_USED_UP');
  expect(messageOf(refused)).toBe(
    'The ticket allows 1 operation ever; 1 operation is used or held, and this request needs 1 operation more. Held operations have not landed yet.',
  );
});

test('limits per user hold across accounts and tickets, live, explained and previewed', async () => {
  const limited = await newTicketPaymaster(service);
  const limits = [{ per: 'SUBJECT', window: 'DAY', unit: 'OPERATIONS', max: '2' }] as const;
  await limited.client.setPolicy({ policy: { requireTicket: true } });
  const asAlice = async () => ({ ticket: await limited.ticket(), to: limited });
  for (let times = 0; times < 3; times += 1) expect(await outcomeOf(await asAlice())).toBe('signed');
  const policy = { requireTicket: true, limits: [...limits] };
  expect((await limited.client.previewPolicy({ policy })).cutOff).toMatchObject([
    { rule: 'limit-subject-day-operations', reason: 'LIMIT_EXCEEDED' },
  ]);
  await limited.client.setPolicy({ policy });
  // It counts from when it is set.
  for (let times = 0; times < 2; times += 1) expect(await outcomeOf(await asAlice())).toBe('signed');
  expect(await outcomeOf(await asAlice())).toBe('LIMIT_EXCEEDED');
  const [decision] = (await limited.client.listDecisions({ limit: 1 })).decisions;
  expect(decision?.facts?.subject).toMatch(/^subject:/);
  expect(JSON.stringify(decision)).not.toContain('alice');

  const explain = async (ticket: string) => {
    const context = { mode: 'SPONSORED', ticket, sponsorshipInfo: { smartAccountInfo } } as const;
    const params: [Record<string, string>, typeof context] = [toRpcUserOperation(await newOperation()), context];
    return limited.client.explainSponsorship({ method: 'pm_sponsorUserOperation', params });
  };
  expect(await explain(await limited.ticket())).toMatchObject({ outcome: 'refused', reason: 'LIMIT_EXCEEDED' });
  expect(await explain(await limited.ticket({ sub: 'bob' }))).toMatchObject({ outcome: 'signed' });
  expect(await outcomeOf({ ticket: await limited.ticket({ sub: 'bob' }), to: limited })).toBe('signed');
});

test('previews know who brought a ticket and who did not', async () => {
  const fresh = await newTicketPaymaster(service);
  expect(await outcomeOf({ to: fresh })).toBe('signed');
  expect(await outcomeOf({ to: fresh, ticket: await fresh.ticket() })).toBe('signed');
  const { cutOff } = await fresh.client.previewPolicy({ policy: { requireTicket: true } });
  expect(cutOff).toMatchObject([{ rule: 'policy-ticket', reason: 'TICKET_REQUIRED' }]);
  await expect(
    fresh.client.setPolicy({ policy: { limits: [{ per: 'SUBJECT', window: 'DAY', unit: 'WEI', max: '1' }] } }),
  ).rejects.toThrow(/SUBJECT need requireTicket/);
});

test('a bearer token that is no ticket does not matter to a paymaster without ticket keys', async () => {
  const { authToken } = await service.issueAccount();
  const { rpcUrl } = await service.fundedPaymaster(authToken, '0.7');
  const plain = { ...paymaster, rpcUrl };
  expect(await outcomeOf({ ticket: 'of.a.proxy', way: 'header', to: plain })).toBe('signed');
});

test('a deleted key’s tickets are refused at once', async () => {
  const fresh = await newTicketPaymaster(service);
  await fresh.client.setPolicy({ policy: { requireTicket: true } });
  const ticket = await fresh.ticket();
  expect(await outcomeOf({ ticket, to: fresh })).toBe('signed');
  const [{ paymasterId = '' } = {}] = await fresh.client.listPaymasters();
  const [{ ticketKeyId = '' } = {}] = await fresh.client.listTicketKeys({ paymasterId });
  await fresh.client.deleteTicketKey({ paymasterId, ticketKeyId });
  expect(await outcomeOf({ ticket, to: fresh })).toBe('TICKET_ALGORITHM_NOT_ALLOWED');
});

test('what is told and kept of a decision has neither the ticket nor its user', async () => {
  const ticket = await paymaster.ticket({ sub: 'zoe@example.org', label: 'spring' });
  expect(await outcomeOf({ ticket })).toBe('signed');
  const [decision] = (await paymaster.client.listDecisions({ limit: 1 })).decisions;
  const reported = JSON.stringify(decision);
  expect(reported).toContain('label \\"spring\\"');
  for (const secret of [ticket, ticket.split('.')[2] ?? '', 'zoe@example.org']) expect(reported).not.toContain(secret);
});

describe('what is left', () => {
  test('is told to a ticket and to a sender, and asking for it uses nothing', async () => {
    const limited = await newTicketPaymaster(service);
    const limits = [
      { per: 'SUBJECT', window: 'DAY', unit: 'OPERATIONS', max: '3' },
      { per: 'SENDER', window: 'EVER', unit: 'OPERATIONS', max: '5' },
      { per: 'TOTAL', window: 'MONTH', unit: 'USD', max: '100' },
    ] as const;
    await limited.client.setPolicy({ policy: { requireTicket: true, limits: [...limits] } });
    const sponsor = createSponsorClient({ url: limited.rpcUrl });
    const ticket = await limited.ticket({ jti: 'two', uses: 2, budget: { usd: '50' } });
    const operation = await newOperation();
    const { sender } = operation;
    for (let times = 0; times < 2; times += 1) {
      expect(await sponsor.getAllowance({ ticket })).toMatchObject({ operationsLeft: 3 });
    }
    expect(await sponsor.getAllowance({ sender })).toMatchObject({ operationsLeft: 5 });

    expect(await outcomeOf({ ticket, to: limited }, operation)).toBe('signed');
    const after = await sponsor.getAllowance({ ticket, sender });
    const midnight = (Math.floor(seconds() / 86_400) + 1) * 86_400;
    expect(after).toMatchObject({ operationsLeft: 2, ticketExpiresAt: expect.any(Number) });
    expect(after.limits).toMatchObject([
      { ...limits[0], left: '2', until: midnight },
      { ...limits[1], left: '4' },
      { ...limits[2], max: '100.00' },
      { per: 'TICKET', window: 'EVER', unit: 'OPERATIONS', max: '2', left: '1' },
      { per: 'TICKET', window: 'EVER', unit: 'USD', max: '50.00' },
    ]);
    for (const { unit, max, left } of after.limits) if (unit === 'USD') expect(Number(left)).toBeLessThan(Number(max));
    expect(after.limits[1]?.until).toBeUndefined();
    expect(await sponsor.getAllowance({ ticket: await limited.ticket({ sub: 'bob' }) })).toMatchObject({
      operationsLeft: 3,
    });
  });

  test('is not told for a ticket that is not good, nor for no one', async () => {
    const sponsor = createSponsorClient({ url: paymaster.rpcUrl });
    const refused = (parameters: { ticket?: string; sender?: string }) =>
      sponsor.getAllowance(parameters).then(
        () => 'told',
        ({ reason }) => reason,
      );
    expect(await refused({ ticket: await other.ticket() })).toBe('TICKET_KEY_NOT_KNOWN');
    expect(await refused({})).toBe('INVALID_PARAMS');
    expect(await refused({ sender: '0x12' })).toBe('INVALID_PARAMS');
    const forSomebody = await paymaster.ticket({ sender: service.devnet.target.address });
    expect(await refused({ ticket: forSomebody, sender: service.devnet.entryPoints['0.7'] })).toBe(
      'TICKET_NOT_FOR_OPERATION',
    );
    expect(await refused({ ticket: forSomebody })).toBe('told');

    // As after pruning, with a clock that is set back since.
    const endsAt = seconds() + 60;
    const counted = await paymaster.ticket({ jti: 'pruned', uses: 2, exp: endsAt });
    const { paymasterId } = paymaster;
    const store = await openStore(service.config.database);
    await store.transaction((transaction) =>
      transaction.insertInto('forgotten_tickets').values({ paymaster_id: paymasterId, ended_until: endsAt }).execute(),
    );
    expect(await refused({ ticket: counted })).toBe('TICKET_EXPIRED');
    await store.transaction((transaction) =>
      transaction
        .updateTable('forgotten_tickets')
        .set({ ended_until: endsAt - 1 })
        .execute(),
    );
    expect(await refused({ ticket: counted })).toBe('told');
    await store.close();
  });
});

describeInBrowser('in a browser', () => {
  test('a page shows what is free, and after an operation what is left; one with a bad ticket says so', async () => {
    const operation = await newOperation();
    const { etag: _, ...policy } = await paymaster.client.readPolicy();
    const limits = [{ per: 'SUBJECT', window: 'EVER', unit: 'OPERATIONS', max: '2' }] as const;
    await paymaster.client.setPolicy({ policy: { ...policy, limits: [...limits] } });
    // The ticket's own uses are not shown: the page gets another one.
    const ticket = await paymaster.ticket({ sub: 'of the page', jti: 'shown', uses: 1 });
    const show = (shown: string, payIn = 'undefined') =>
      `showFreeTransactions(document.querySelector('main').appendChild(document.createElement('div')),
        { ...${JSON.stringify({ paymasterUrl: paymaster.rpcUrl, ticket: shown })}, payIn: ${payIn} });`;
    const token = tokenWith(service.devnet, 6);
    const { chainId, entryPoints } = service.devnet;
    const location = { token: token.address, chainId, entryPointAddress: entryPoints['0.7'] };
    const payIn = `{ ...${JSON.stringify(location)}, gas: 200000n, feePerGas: 1000000000n }`;
    const page = await servePage(
      `import { showFreeTransactions } from './clients/sdk/examples/react/free-transactions.ts';
      ${show(ticket)}
      ${show(ticket, payIn)}
      ${show(await other.ticket())}`,
    );
    const browser = await openBrowser();
    try {
      const tab = await (await browser.newContext()).newPage();
      await tab.goto(page.url);
      const [mine, others] = [tab.getByRole('status').first(), tab.getByRole('status').last()];
      const then = new RegExp(`^2 left, then about \\d+(\\.\\d+)? ${token.symbol}$`);
      await vi.waitFor(async () => expect(await tab.getByRole('status').nth(1).textContent()).toMatch(then), patience);
      await vi.waitFor(async () => expect(await mine.textContent()).toBe('2 free transactions left'), patience);
      await vi.waitFor(async () => expect(await others.textContent()).toMatch(/No ticket key/), patience);
      expect(await outcomeOf({ ticket }, operation)).toBe('signed');
      await tab.getByRole('button').first().click();
      await vi.waitFor(async () => expect(await mine.textContent()).toBe('1 free transaction left'), patience);
    } finally {
      await browser.close();
      await page.close();
    }
  });
});
