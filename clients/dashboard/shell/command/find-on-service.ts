import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { momentText } from '../../parts/text/moment-text.ts';
import type { Goal } from './list-goals.ts';

/** Most paymasters that are searched. */
const mostAsked = 50;

type FoundKind = 'address' | 'hash' | 'decision';

/** What a text may be besides a name; undefined for none of these. */
export function kindOf(text: string): FoundKind | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return 'address';
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return 'hash';
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ? 'decision' : undefined;
}

/**
 * Searches each paymaster for an address, a transaction or a decision. A paymaster that does not answer counts as without
 * results.
 */
export async function findOnService(text: string, paymasters: readonly PaymasterItem[]): Promise<readonly Goal[]> {
  const kind = kindOf(text);
  const found = await Promise.allSettled(
    paymasters.slice(0, mostAsked).map((paymaster) => {
      if (kind === 'address') return findAddress(text, paymaster);
      return kind === 'hash' ? findHash(text, paymaster) : findDecision(text, paymaster);
    }),
  );
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

async function findAddress(address: string, paymaster: PaymasterItem): Promise<readonly Goal[]> {
  const headers = headersOf(paymaster);
  const [contracts, { decisions }] = await Promise.all([
    routes.smartContract.list({ headers }),
    routes.decision.list({ headers, query: { sender: address, limit: '1' } }),
  ]);
  const { paymasterId, name } = paymaster;
  const contract = contracts.find((each) => each.address.toLowerCase() === address.toLowerCase());
  const goals: Goal[] = [];
  if (contract !== undefined) {
    goals.push({
      key: `${paymasterId} contract`,
      group: 'Found',
      text: `Contract ${contract.name}`,
      note: name,
      icon: 'contract',
      target: { to: '/paymasters/$paymasterId/contracts', params: { paymasterId } },
    });
  }
  if (decisions.length > 0) {
    goals.push({
      key: `${paymasterId} sender`,
      group: 'Found',
      text: 'Operations of this sender',
      note: name,
      icon: 'activity',
      target: { to: '/paymasters/$paymasterId/activity', params: { paymasterId }, search: { sender: address } },
    });
  }
  return goals;
}

/** The hash of a transaction or of an operation. */
async function findHash(hash: string, paymaster: PaymasterItem): Promise<readonly Goal[]> {
  const headers = headersOf(paymaster);
  const params = { userOperationHash: hash };
  const signed = routes.userOperation.read({ headers, params }).then(
    ({ decisionIds: [newest = ''] }) => findDecision(newest, paymaster),
    () => [],
  );
  const { decisions } = await routes.decision.list({ headers, query: { txHash: hash } });
  return [...(await signed), ...decisions.map((decision) => goalOf(decision, paymaster))];
}

async function findDecision(decisionId: string, paymaster: PaymasterItem): Promise<readonly Goal[]> {
  const params = { decisionId: decisionId.toLowerCase() };
  return [goalOf(await routes.decision.read({ headers: headersOf(paymaster), params }), paymaster)];
}

function goalOf({ decisionId, outcome, decidedAt }: DecisionItem, { paymasterId, name }: PaymasterItem): Goal {
  return {
    key: decisionId,
    group: 'Found',
    text: `Operation of ${momentText(decidedAt)}, ${outcome}`,
    note: name,
    icon: 'activity',
    target: { to: '/paymasters/$paymasterId/activity/$decisionId', params: { paymasterId, decisionId } },
  };
}
