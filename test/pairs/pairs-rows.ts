import type { PolicyRequest } from '@tollfree/contract/policy';
import type { Hex } from 'viem';
import { formatUserOperationRequest } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { delegatingAccount, markedOperation, signDelegation } from '../support/chain/eip7702-lab.ts';
import { readSignedTerms } from '../support/paymaster-contracts/signed-terms.ts';
import { approve, startWebhookServer } from '../support/servers/webhook-server.ts';
import { freshKey } from '../support/service/running-service.ts';
import { outcomeOf, type PairsLab, type Way } from './pairs-lab.ts';

/** What is right, and what is seen today where that is known to be wrong. */
export type Cell = string | { readonly right: string; readonly today: string };

/** A feature: what is observed of it over each way, and what that should be. A way without a cell does not know the feature. */
export type Row = {
  readonly title: string;
  readonly observe: (lab: PairsLab, way: Way) => Promise<string>;
  readonly cells: Readonly<Partial<Record<Way, Cell>>>;
};

const everyWay = (cell: Cell): Readonly<Record<Way, Cell>> => ({
  contract: cell,
  relay: cell,
  vendor: cell,
  token: cell,
  quote: cell,
  stub: cell,
  preparation: cell,
});

/** Where the sponsor pays all. What the user pays is bound by neither contracts nor limits. */
const sponsored = (cell: Cell, paid: Cell = 'accepted') => ({ ...everyWay(cell), token: paid, quote: paid });

/** Observes with a policy, and puts the default one back. */
async function withPolicy(lab: PairsLab, way: Way, policy: PolicyRequest, observe: () => Promise<string>) {
  const { management, apiKey } = lab.paymaster(way);
  const plain: PolicyRequest = { relay: 'PREFER' };
  await management.setPolicy({ apiKey, policy: { ...plain, ...policy } });
  try {
    return await observe();
  } finally {
    await management.setPolicy({ apiKey, policy: plain });
  }
}

/** The outcome of a plain request under a policy. */
const under = (policy: PolicyRequest) => (lab: PairsLab, way: Way) =>
  withPolicy(lab, way, policy, () => lab.outcome(way));

const seconds = () => Math.floor(Date.now() / 1_000);
let made = 0;
/** An id that no ticket has had. */
const newId = () => {
  made += 1;
  return `ticket-${made}`;
};

/** The way by which an operation is really paid for, of one that only prepares it. */
const whole: Readonly<Record<Way, Way>> = {
  contract: 'contract',
  relay: 'relay',
  vendor: 'vendor',
  token: 'contract',
  quote: 'contract',
  stub: 'contract',
  preparation: 'relay',
};

/** What is asked for before a signature does not try what only the hold counts. */
const untried = (right: string, today = 'accepted'): Pick<Row['cells'], 'stub' | 'preparation'> => ({
  stub: { right, today },
  preparation: { right, today },
});

const tickets: readonly Row[] = [
  {
    title: 'a policy that requires a ticket',
    observe: (lab, way) =>
      withPolicy(lab, way, { requireTicket: true }, async () => {
        const without = await lab.outcome(way);
        const ticket = await lab.ticket(way);
        return `${without}; with one ${await lab.outcome(way, { context: { ticket } })}`;
      }),
    cells: everyWay('TICKET_REQUIRED; with one accepted'),
  },
  {
    title: 'a ticket whose use is used up',
    observe: async (lab, way) => {
      const ticket = await lab.ticket(way, { jti: newId(), uses: 1 });
      const first = await lab.outcome(whole[way], { context: { ticket } });
      return `${first}, ${await lab.outcome(way, { context: { ticket } })}`;
    },
    cells: {
      ...sponsored('accepted, TICKET_USED_UP', 'accepted, accepted'),
      ...untried('accepted, TICKET_USED_UP', 'accepted, accepted'),
    },
  },
  {
    title: 'a ticket with a budget of 1 wei',
    observe: async (lab, way) => {
      const ticket = await lab.ticket(way, { jti: newId(), budget: { wei: '1' } });
      return lab.outcome(way, { context: { ticket } });
    },
    cells: { ...sponsored('TICKET_USED_UP'), ...untried('TICKET_USED_UP') },
  },
  {
    title: 'a ticket that ends in 40 seconds',
    observe: async (lab, way) => {
      const exp = seconds() + 40;
      const ticket = await lab.ticket(way, { exp });
      return describeEnd(await lab.ask(way, { context: { ticket } }), exp);
    },
    cells: {
      contract: 'ends with it',
      token: 'ends with it',
      quote: 'ends with it',
    },
  },
  {
    title: 'a limit of no operations per user of tickets',
    observe: (lab, way) => {
      const limits = [{ per: 'SUBJECT', window: 'DAY', unit: 'OPERATIONS', max: '0' }] as const;
      return withPolicy(lab, way, { requireTicket: true, limits: [...limits] }, async () =>
        lab.outcome(way, { context: { ticket: await lab.ticket(way) } }),
      );
    },
    cells: { ...sponsored('LIMIT_EXCEEDED'), ...untried('LIMIT_EXCEEDED') },
  },
];

/** Whether an answer's stated end is a moment, before or after it. */
function describeEnd({ result, ...refused }: Awaited<ReturnType<PairsLab['ask']>>, moment: number): string {
  if (result === undefined) return outcomeOf({ result, ...refused });
  const { validUntil, feeQuotes } = result as { validUntil?: number; feeQuotes?: readonly { validUntil: number }[] };
  const end = validUntil ?? feeQuotes?.[0]?.validUntil;
  if (end === undefined) return 'states no end';
  if (end === moment) return 'ends with it';
  return end > moment ? 'ends later' : 'ends before';
}

const limits: readonly Row[] = [
  {
    title: 'a limit of no operations per sender',
    observe: under({ limits: [{ per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '0' }] }),
    cells: { ...sponsored('LIMIT_EXCEEDED'), ...untried('LIMIT_EXCEEDED') },
  },
  {
    title: 'a limit of 1 wei in total',
    observe: under({ limits: [{ per: 'TOTAL', window: 'EVER', unit: 'WEI', max: '1' }] }),
    cells: { ...sponsored('LIMIT_EXCEEDED'), ...untried('LIMIT_EXCEEDED') },
  },
  {
    title: 'an apiKey with a limit of no operations',
    observe: async (lab, way) => {
      const { management, paymasterId } = lab.paymaster(way);
      const rules = { limits: [{ per: 'TOTAL', window: 'DAY', unit: 'OPERATIONS', max: '0' }] } as const;
      const { apiKey } = await management.createApiKey({ paymasterId, name: newId(), rules });
      return lab.outcome(way, { apiKey });
    },
    cells: { ...sponsored('LIMIT_EXCEEDED'), ...untried('LIMIT_EXCEEDED') },
  },
  {
    title: 'a named policy with a limit of no operations',
    observe: (lab, way) =>
      underNamed(lab, way, { limits: [{ per: 'TOTAL', window: 'EVER', unit: 'OPERATIONS', max: '0' }] }),
    cells: { ...sponsored('LIMIT_EXCEEDED'), ...untried('LIMIT_EXCEEDED') },
  },
  {
    title: 'a budget of the account that is used up',
    observe: async (lab, way) => {
      const { management, paymasterId } = lab.paymaster(way);
      const { budgetId } = await management.createBudget({
        name: newId(),
        maxUsd: '0.000001',
        window: 'EVER',
        paymasterIds: [paymasterId],
      });
      try {
        return await lab.outcome(way);
      } finally {
        await management.deleteBudget({ budgetId });
      }
    },
    cells: { ...sponsored('LIMIT_EXCEEDED'), ...untried('LIMIT_EXCEEDED') },
  },
];

/** The outcome of a request that chooses a named policy. */
async function underNamed(lab: PairsLab, way: Way, policy: PolicyRequest, enabled = true): Promise<string> {
  const { management, apiKey } = lab.paymaster(way);
  const named = { name: newId(), enabled, policy: { relay: 'PREFER' as const, ...policy } };
  const { policyId } = await management.createPolicy({ apiKey, ...named });
  return lab.outcome(way, { context: { policyId } });
}

const rulesOfPolicy: readonly Row[] = [
  {
    title: 'a highest gas price of 1 wei',
    observe: under({ maxFeePerGas: '1' }),
    cells: everyWay('GAS_PRICE_TOO_HIGH'),
  },
  {
    title: 'a highest cost of 1 wei for an operation',
    observe: under({ maxCostPerOperation: { wei: '1' } }),
    // It also bounds what the deposit advances for a user who pays.
    cells: { ...everyWay('LIMIT_EXCEEDED'), quote: { right: 'LIMIT_EXCEEDED', today: 'accepted' } },
  },
  {
    title: 'a method that is not whitelisted',
    observe: (lab, way) => lab.outcome(way, { calls: 'record' }),
    cells: sponsored('METHOD_NOT_WHITELISTED'),
  },
  {
    title: 'a policy that ended yesterday',
    observe: under({ notAfter: 1_000_000_000 }),
    cells: everyWay('LIMIT_EXCEEDED'),
  },
  {
    title: 'a named policy that is disabled',
    observe: (lab, way) => underNamed(lab, way, {}, false),
    cells: everyWay('POLICY_NOT_ACCEPTED'),
  },
  {
    title: 'a paused paymaster',
    observe: async (lab, way) => {
      const { management, paymasterId } = lab.paymaster(way);
      await management.updatePaymaster({ paymasterId, paused: true });
      try {
        return await lab.outcome(way);
      } finally {
        await management.updatePaymaster({ paymasterId, paused: false });
      }
    },
    cells: everyWay('PAYMASTER_PAUSED'),
  },
];

const shares: readonly Row[] = [
  {
    title: 'users pay 30 %',
    observe: under({ userPaysPercent: 30 }),
    cells: sponsored('USER_PAYS_SHARE'),
  },
  {
    title: 'users pay 30 %, and a webhook counts its calls',
    observe: (lab, way) => countAsked(lab, way, { userPaysPercent: 30 }),
    cells: { token: '1', quote: '0' },
  },
  {
    title: 'users pay 30 %, what is sponsored is used up, and a webhook counts its calls',
    observe: (lab, way) => {
      const limits = [{ per: 'TOTAL', window: 'EVER', unit: 'WEI', max: '1' }] as const;
      return countAsked(lab, way, { userPaysPercent: 30, thenPayInToken: true, limits: [...limits] });
    },
    cells: { token: '1', quote: '0' },
  },
];

const webhooks: readonly Row[] = [
  {
    title: 'a webhook that counts its calls',
    observe: (lab, way) => countAsked(lab, way, {}),
    cells: { contract: '1', relay: '1', vendor: '1', token: '0', quote: '0', stub: '0', preparation: '0' },
  },
];

/** How often a webhook of the paymaster is called for one request. */
function countAsked(lab: PairsLab, way: Way, policy: PolicyRequest): Promise<string> {
  return withPolicy(lab, way, policy, async () => {
    const server = await startWebhookServer(approve);
    const { management, apiKey } = lab.paymaster(way);
    const { webhookId } = await management.createWebhook({ apiKey, webhookUrl: server.url, requestType: 'POST' });
    try {
      const outcome = await lab.outcome(way);
      return outcome === 'accepted' ? String(server.received.length) : outcome;
    } finally {
      await management.deleteWebhook({ apiKey, webhookId });
    }
  });
}

const previews: readonly Row[] = [
  {
    title: 'a preview of a highest gas price of 1 wei',
    observe: async (lab, way) => {
      const outcome = await lab.outcome(way);
      const { management, apiKey } = lab.paymaster(way);
      const policy: PolicyRequest = { relay: 'PREFER', maxFeePerGas: '1' };
      const { cutOff } = await management.previewPolicy({ apiKey, policy, last: 1 });
      const [{ reason = 'not refused', worstCase = '0', charge } = {}] = cutOff;
      const cost = BigInt(worstCase) > 0n ? 'with its worst case' : 'without a worst case';
      return `${outcome}; ${reason} ${cost}${charge === undefined ? '' : ' and a cost'}`;
    },
    // What is not signed is not decided again.
    cells: {
      contract: 'accepted; GAS_PRICE_TOO_HIGH with its worst case',
      relay: 'accepted; GAS_PRICE_TOO_HIGH with its worst case',
      vendor: 'accepted; GAS_PRICE_TOO_HIGH with its worst case',
      token: 'accepted; GAS_PRICE_TOO_HIGH with its worst case',
    },
  },
];

const signatures: readonly Row[] = [
  {
    title: 'a signature for a day',
    observe: (lab, way) =>
      withPolicy(lab, way, { maxValiditySeconds: 86_400 }, async () => {
        const { result, ...refused } = await lab.ask(way, { context: { expiryDuration: 86_400 } });
        if (result === undefined) return outcomeOf({ result, ...refused });
        const { validUntil, paymasterAndData } = result as { validUntil: number; paymasterAndData: Hex };
        const signed = readSignedTerms('0.8', way === 'token' ? 'ERC20' : 'SPONSORED', paymasterAndData).validUntil;
        if (validUntil !== signed) return 'states another end than was signed';
        return validUntil > seconds() + 80_000 ? 'a day' : 'shorter';
      }),
    cells: {
      contract: 'a day',
      // A rate that is kept for a day would be a free option.
      token: 'shorter',
      vendor: { right: 'shorter', today: 'states another end than was signed' },
    },
  },
  {
    title: 'an EIP-7702 authorization with a nonce of the past',
    observe: async (lab, way) => {
      const owner = privateKeyToAccount(freshKey());
      const { devnet } = lab;
      await devnet.client.setNonce({ address: owner.address, nonce: 3 });
      const account = await delegatingAccount(devnet, devnet.simple7702Account, owner);
      const authorization = await signDelegation(devnet, owner, devnet.simple7702Account, { nonce: 1 });
      const [call] = [targetCall(devnet, 'increment')];
      const { sender, callData, factory, factoryData } = await markedOperation(devnet, account, [call]);
      const { eip7702Auth } = formatUserOperationRequest({ authorization } as never);
      return lab.outcome(way, { fields: { sender, callData, factory, factoryData, eip7702Auth } });
    },
    cells: everyWay('INVALID_PARAMS'),
  },
];

export const rows: readonly Row[] = [
  ...tickets,
  ...limits,
  ...rulesOfPolicy,
  ...shares,
  ...webhooks,
  ...previews,
  ...signatures,
];
