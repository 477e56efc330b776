import { counted } from '@tollfree/contract/counted';
import { isAbsentOrZero } from '@tollfree/contract/rpc/field-forms';
import { size } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { maxBigint } from '../../base/values/integers.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { PaymasterContractRuntime, SponsoredTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { overPreVerificationGas } from '../../gas/compare-limits.ts';
import { createChainFees } from '../../gas/fees/fee-models.ts';
import { defaultGasPriceBounds, highestPrices } from '../../gas/fees/gas-price-bounds.ts';
import { countPreVerificationGas, countSentGas } from '../../gas/fees/pre-verification-gas.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import { leastRelayedSeconds, relayedSeconds } from '../../ledger/holds/relayed-operations.ts';
import type { ChainRelay } from '../../node/followed-chain.ts';
import { relayTooExpensive, ruleOnRelayGasPrice } from '../../policies/rules/rule-on-gas.ts';
import { mostOfKind } from '../gas/check-given-limits.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Identified } from '../identify/identify.ts';
import { authorizationRequired, lacksAuthorization } from '../identify/read-operation.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import { followRulings } from '../permit/decide-request.ts';
import { type Asked, noted, type Step } from '../run/steps.ts';

type Asking = Asked & Identified & Viewed & Ticketed & WithGas & Relaying & { readonly signedTerms: SponsoredTerms };

/**
 * The executors' maximum cost of the operation: the highest signed gas price of the chain, for all its gas and the overhead
 * of a separate bundle, plus the data fee of a layer 2. Its `preVerificationGas` pays no one, but determines its share of a
 * bundle's cost: without it, others would bear its part. The hold ends some time later: the account's signature does not.
 */
export const priceRelay: Step<Asking, { readonly signedTerms: SponsoredTerms }> = noted(
  {
    rule: 'chain-gas-price',
    finding: ({ view }) => ['relay-price', view.fees?.baseFee],
  },
  async (request: Asking): Promise<Result<{ readonly signedTerms: SponsoredTerms }>> => {
    const price = await readRelayPrice(request);
    if (!price.ok) return price;
    const { needed, relay } = price.value;
    const { signedTerms, operation } = request;
    const validUntil = endOf(request);
    const counted = checkPreVerificationGas(request.relay, operation.gas.preVerificationGas, needed);
    return counted.ok ? accept({ signedTerms: { ...signedTerms, validUntil, relay } }) : counted;
  },
);

function checkPreVerificationGas({ bundler }: ChainRelay, given: bigint, needed: bigint): Result<object> {
  if (bundler.preVerificationGas === 'none') {
    return given === 0n
      ? accept({})
      : refuseField('preVerificationGas', 'must be 0 for an operation that is relayed on this chain');
  }
  const least = leastShare(needed);
  if (given >= least) return accept({});
  const why = 'the cost of a bundle is shared by it. It costs the account nothing.';
  return refuseField('preVerificationGas', `must be at least ${least}: ${why}`);
}

/** A given limit of 0 counts as absent, but not that of a bundler that takes nothing else. */
export const readRelayedGas: Step<Relaying & ReadOperation, Pick<ReadOperation, 'givenGas'>> = ({ relay, givenGas }) =>
  accept({
    givenGas:
      relay.bundler.preVerificationGas === 'counted'
        ? givenGas
        : { ...givenGas, preVerificationGas: givenGas.preVerificationGas ?? 0n },
  });

/** Estimated limits for a bundler that takes no `preVerificationGas`, without it. */
export const dropPreVerificationGas: Step<Relaying & WithGas, WithGas> = ({ relay, operation }) =>
  accept({
    operation:
      relay.bundler.preVerificationGas === 'counted'
        ? operation
        : { ...operation, gas: { ...operation.gas, preVerificationGas: 0n } },
  });

/**
 * When the hold of an operation ends, and sending it again: with its ticket, but not before a bundler has had the time that one
 * needs to land it.
 */
function endOf({ parts, view, ticket }: Asking): number {
  const now = Math.max(unixSeconds(parts.clock), view.headTime);
  const end = ticket?.expiresAt ?? Number.POSITIVE_INFINITY;
  return now + Math.min(relayedSeconds, Math.max(end - now, leastRelayedSeconds));
}

/** What our wallets pay for an operation in a transaction of its own, and the `preVerificationGas` that it needs, in gas. */
type RelayPrice = { readonly needed: bigint; readonly relay: NonNullable<SponsoredTerms['relay']> };

/**
 * Reads the price from the chain. A sent authorization is paid for, whatever the account's current delegate. A price above the
 * operator's ceiling is refused: less than what our wallets may pay is never held.
 */
async function readRelayPrice(request: Asked & Identified & Viewed & WithGas): Promise<Result<RelayPrice>> {
  const { draft, chain, view, operation, contract } = request;
  const { config, client } = chain;
  if (view.fees === undefined) {
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The node of chain ${config.chainId} does not report the gas price. Nothing is relayed until it does.`,
    });
  }
  const bounds = config.gasPrice === undefined || config.gasPrice === 'none' ? defaultGasPriceBounds : config.gasPrice;
  const gasPrice = highestPrices(view.fees, bounds).maxFeePerGas;
  draft.relayGasPrice = gasPrice;
  const ceiling = config.maxFeePerGasCeiling;
  if (ceiling !== undefined && gasPrice > ceiling) {
    return refuse(relayTooExpensive(gasPrice, ceiling, 'on this chain'));
  }
  const carried = operation.eip7702Auth === undefined ? operation : { ...operation, paysAuthorization: true as const };
  const { entryPoint } = contract.location;
  const simulated = { operation: carried, entryPoint, paymasterAndData: '0x' } as const;
  const { model, dataFee } = createChainFees({ client, config });
  const chainCosts = { schedule: gasScheduleOf(client), unmeteredGas: model.extraOverhead ?? 0n };
  const overEstimate = overPreVerificationGas(config);
  // How much of the limits is burned is unknown, so the most that is held counts the data floor in full.
  const { most } = countPreVerificationGas(simulated, { ...chainCosts, meteredGas: 0n, overEstimate });
  const { callGasLimit, verificationGasLimit } = operation.gas;
  // What the limits leave unused is held for the data floor.
  const sent = countSentGas(simulated, { ...chainCosts, meteredGas: callGasLimit + verificationGasLimit });
  const allowed = await checkSentGas(request, sent, most);
  if (!allowed.ok) return allowed;
  const fee = await (dataFee?.ask(simulated) ?? accept(undefined));
  if (!fee.ok) return fee;
  const overhead = maxBigint(most, sent);
  const ofData = fee.value?.(callGasLimit + verificationGasLimit + overhead);
  const overheadGas = overhead + (ofData?.kind === 'gas' ? ofData.gas : 0n);
  return accept({ needed: sent, relay: { gasPrice, overheadGas, dataFee: ofData?.kind === 'wei' ? ofData.wei : 0n } });
}

/**
 * Refuses a signature that makes the bundle much more expensive: accounts that ignore its end accept it, and no signature
 * binds its length. There is the room that callers have in `preVerificationGas`.
 */
async function checkSentGas(request: Identified & WithGas, sent: bigint, most: bigint): Promise<Result<object>> {
  if (sent <= most) return accept({});
  const allowed = await mostOfKind(request, request.operation, { field: 'preVerificationGas', max: most });
  if (!allowed.ok) return allowed;
  if (sent <= allowed.value) return accept({});
  const bytes = size(request.operation.signature);
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `The signature has ${counted(bytes, 'byte')}, with which the bundle needs ${sent} gas for the operation's data. At most ${allowed.value} are paid for. Send a shorter signature.`,
    field: 'signature',
    details: { limit: 'preVerificationGas', asked: sent.toString(), max: allowed.value.toString() },
  });
}

/** The owner's ceiling on the gas price, once the price is known: the operation itself has none. */
export const decideRelayPrice: Step<Asked & Identified & { readonly signedTerms: SponsoredTerms }, object> = ({
  draft,
  profile,
  signedTerms: { relay },
}) => followRulings(draft, relay === undefined ? [] : [ruleOnRelayGasPrice(profile.policy, relay.gasPrice)], {});

/** Bundlers count differently, and the call may burn the data floor: half of our count. */
function leastShare(needed: bigint): bigint {
  return needed / 2n;
}

/** The relay for an operation, in the role of its paymaster contract. */
export type Relaying = { readonly relay: ChainRelay; readonly contract: PaymasterContractRuntime };

/** Whether the chain relays operations of this EntryPoint now. */
export const chooseRelay: Step<Asked & Identified, Relaying> = noted(
  { rule: 'mode', finding: ['mode', 'RELAY'] },
  ({ chain, contract }: Asked & Identified): Result<Relaying> => {
    const { relay } = chain;
    const { chainId } = chain.config;
    if (relay === undefined) return refuseRelay(`Operations are not relayed on chain ${chainId}.`);
    if (relay.contract.location.entryPoint !== contract.location.entryPoint) {
      const { entryPointVersion } = relay.contract.family;
      return refuseRelay(`Only operations of EntryPoint ${entryPointVersion} are relayed on chain ${chainId}.`);
    }
    const fault = relay.bundler.fault();
    if (fault === undefined) return accept({ relay, contract: relay.contract });
    return refuse({ reason: 'BUNDLER_UNAVAILABLE', message: `Nothing is relayed on chain ${chainId} now: ${fault}.` });
  },
);

function refuseRelay(why: string): Result<never> {
  return refuse({
    reason: 'INVALID_PARAMS',
    message: `${why} Ask for paymaster data, and send the operation with it.`,
    field: 'paymaster',
  });
}

const paymasterFields = [
  'paymasterAndData',
  'paymaster',
  'paymasterData',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const;

/**
 * The account must have signed it without a paymaster and without fees: otherwise the EntryPoint would charge the account.
 * Bundlers need the authorization that the EIP-7702 marker is for.
 */
export const checkUnpaid: Step<Asked & ReadOperation, object> = noted(
  { rule: 'operation', finding: ['bare-operation'] },
  ({ request: { userOperation }, operation }: Asked & ReadOperation): Result<object> => {
    const given = paymasterFields.find((field) => !isAbsentOrZero(userOperation[field]));
    if (given !== undefined) return refuseField(given, 'must be left out of an operation that is relayed');
    if (operation.maxFeePerGas > 0n) return refuseField('maxFeePerGas', 'must be 0 for an operation that is relayed');
    if (lacksAuthorization(operation)) return authorizationRequired;
    return accept({});
  },
);

function refuseField(field: string, must: string): Result<never> {
  return refuse({ reason: 'INVALID_PARAMS', message: `${field} ${must}`, field });
}
