import { type HoldOutcome, type HoldRequest, operationKeyOf } from '../../ledger/holds/hold-request.ts';
import { hasMovedOn } from '../../ledger/releasing/prove-ended.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/steps.ts';

/** Nonces read for one request, so that a sender with many open operations makes it neither slow nor expensive. */
const maxNoncesRead = 20;

/**
 * Holds. If the sender's open operations leave too few tokens for this one, those that have landed are not counted: the
 * ledger waits for confirmations before it knows them.
 */
export async function holdWithoutLanded(request: Asked & Identified, asked: HoldRequest): Promise<HoldOutcome> {
  const { holds } = request.parts;
  const outcome = await holds.hold(asked);
  const { payment } = asked;
  if (outcome.kind !== 'limited' || outcome.openPayments === undefined) return outcome;
  if (payment.tokens === undefined) return outcome;
  const landed = await findLanded(request, asked, outcome.openPayments);
  const tokens = { ...payment.tokens, landed };
  return landed.size === 0 ? outcome : holds.hold({ ...asked, payment: { ...payment, tokens } });
}

/** The operation keys of the nonces that are used up; none where the node does not answer. */
async function findLanded(
  { chain, contract }: Identified,
  { sender }: Pick<HoldRequest, 'sender'>,
  nonces: readonly bigint[],
): Promise<ReadonlySet<string>> {
  const { entryPoint } = contract.location;
  const newest = await chain.client.getBlockNumber({ cacheTime: 0 }).catch(() => undefined);
  if (newest === undefined) return new Set();
  const operationKeys = await Promise.all(
    nonces.slice(0, maxNoncesRead).map(async (nonce) => {
      const isUsed = await hasMovedOn(chain.client, { entryPoint, sender, nonce }, newest).catch(() => false);
      return isUsed ? [operationKeyOf({ sender, nonce })] : [];
    }),
  );
  return new Set(operationKeys.flat());
}
