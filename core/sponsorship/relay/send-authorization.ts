import { type Hex, numberToHex, zeroAddress } from 'viem';
import { keepContents } from '../../decisions/request-record.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { accountNonceOf, authorizationHash } from '../../evm/entry-point/eip7702.ts';
import { endOfTime } from '../../evm/entry-point/entry-point-abi.ts';
import type { SponsoredGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { WorstCase } from '../cost.ts';
import type { DeploysKnown } from '../gas/decide-account.ts';
import { decideAccount } from '../gas/decide-account.ts';
import type { Held } from '../hold/hold-worst-case.ts';
import type { Named } from '../hold/request-key.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { StageDecided } from '../permit/decide-request.ts';
import type { DecodedCalls } from '../permit/decode-calls.ts';
import { type Asked, noted, notedIfRefused, type Step } from '../run/steps.ts';
import type { UndecidedRelay } from './hand-over.ts';
import { readRelayPrice } from './price-relay.ts';
import type { ReadAuthorization } from './read-authorization.ts';

type Begun = Asked & Identified & ReadAuthorization;

/** An authorization calls nothing. For the policy, it is an operation that only creates its account. */
export const noCalls: Step<Begun, DecodedCalls> = ({ draft }) => {
  draft.calls = [];
  draft.contents = keepContents([]);
  draft.deploysOnly = true;
  return accept({ calls: [], deploysOnly: true });
};

/** Whether the delegate is known. Without one no code is left that would have to be. */
export const decideDelegate: Step<Begun & DecodedCalls, StageDecided<'account'> & DeploysKnown> = (request) =>
  request.authorization.address === zeroAddress
    ? accept({ accountDecided: true as const, deploysKnown: false })
    : decideAccount({ ...request, seenAccount: undefined });

type Priced = { readonly operation: UserOperationWithGas; readonly grant: SponsoredGrant };

/** The most that the hot wallet pays: that of an operation without calls in a bundle of its own, which needs more gas. */
export const priceAuthorization: Step<Begun & Viewed & { readonly grant: SponsoredGrant }, Priced> = noted(
  { rule: 'chain-gas-price', finding: ['hot-wallet-price'] },
  async (request: Begun & Viewed & { readonly grant: SponsoredGrant }) => {
    const { operation, grant } = request;
    const none = { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n };
    const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n, ...none };
    // Counted like call data, whose nonces have 256 bits.
    const counted = { ...operation, nonce: accountNonceOf(operation.nonce), gas };
    const price = await readRelayPrice({ ...request, operation: counted });
    if (!price.ok) return price;
    const { relay } = price.value;
    const limits = { ...gas, preVerificationGas: relay.overheadGas };
    return accept({ operation: { ...operation, gas: limits }, grant: { ...grant, validUntil: endOfTime, relay } });
  },
);

/**
 * The operator's limits on authorizations. The hot wallet checks them again before it sends. An account can sign any number
 * of authorizations with one nonce, of which only one can have an effect.
 */
export const capAuthorizations: Step<Begun & WorstCase, object> = notedIfRefused(
  { rule: 'operator-holds', finding: ['authorizations-in-a-day'] },
  async ({ parts, chain, operation, worstCase, authorization }: Begun & WorstCase): Promise<Result<object>> => {
    const { chainId } = chain.config;
    const { maxPerDay = 0n, perAccountPerDay = 0 } = chain.treasury?.authorizations ?? {};
    const hash = authorizationHash(authorization);
    const sent = await parts.sentAuthorizations({ chainId, authority: operation.sender, hash });
    if (sent.otherIsPending) {
      const message = 'Another authorization of this account is being sent. Wait until it has landed.';
      return refuse({ reason: 'OPERATION_PENDING', message, details: { way: 'RELAY' } });
    }
    const isOfAccount = sent.ofAccount >= perAccountPerDay;
    if (!isOfAccount && sent.wei + worstCase <= maxPerDay) return accept({});
    const limit = isOfAccount ? 'perAccountPerDay' : 'maxPerDay';
    const whose = isOfAccount ? 'of this account ' : '';
    return refuse({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'OPERATOR_CAP',
      message: `No more authorizations ${whose}are sent within 24 hours. Try again tomorrow.`,
      details: { limit: `treasury.authorizations.${limit}` },
    });
  },
);

/** Names the authorization by its hash, and stores it for the hot wallet with the hold. */
export const nameAuthorization: Step<Begun, Named> = ({ authorization, operation: { sender } }) => {
  const { address, chainId, nonce, r, s, yParity } = authorization;
  const signature = { r: numberToHex(r, { size: 32 }), s: numberToHex(s, { size: 32 }), yParity };
  // The nonce is that of the account, and the chain id ours: both are far below 2^53.
  const operation = JSON.stringify({ address, chainId: Number(chainId), nonce: Number(nonce), ...signature });
  return accept({ relayed: { userOperationHash: authorizationHash(authorization), operation, authority: sender } });
};

/** It is stored: the hot wallet sends it, or its hold is released. */
export const answerHeld: Step<Held & Named, { readonly answer: UndecidedRelay }> = ({ relayed }) =>
  accept({ answer: { kind: 'relayed' as const, userOperationHash: relayed.userOperationHash as Hex } });
