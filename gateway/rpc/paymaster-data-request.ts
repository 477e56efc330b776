import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ChainIdParam } from '@tollfree/contract/rpc/chain-reference';
import type { PaymasterContext, PaymasterDataParams } from '@tollfree/contract/rpc/paymaster-context';
import type { Core } from '../../core/domain/core.ts';
import type { PaymasterDataRequest } from '../../core/domain/paymaster-data.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { SponsorshipContext } from '../../core/domain/sponsorship.ts';
import type { JsonText } from './json.ts';
import type { RpcMethod, UncountedAddress } from './rpc-response.ts';
import { named, rawUserOperation, sponsorshipContext, type Writable, wishedSeconds } from './sponsorship-request.ts';

/** The parsed params of an ERC-7677 method in the core's form. */
export function paymasterDataRequest(
  [userOperation, entryPoint, chainId, context]: PaymasterDataParams,
  { chainId: ownChainId, apiKey, clientAddress, arrival, bearer }: UncountedAddress,
): Result<PaymasterDataRequest> {
  const foreign = checkChainId(chainId, ownChainId);
  if (foreign !== undefined) return { ok: false, refusal: foreign };
  const request: PaymasterDataRequest = {
    apiKey,
    chainId: ownChainId,
    ...omitAbsent({ clientAddress, arrival }),
    userOperation: rawUserOperation(userOperation),
    context: paymasterContext(context, bearer),
    entryPoint,
  };
  return { ok: true, value: request };
}

/** A method with the params of ERC-7677: asks the core, and writes its answer. */
export function paymasterDataMethod<Params extends PaymasterDataParams, Answer>(
  { method, params }: Pick<RpcMethod<Params>, 'method' | 'params'>,
  ask: (core: Core, request: PaymasterDataRequest) => Promise<Result<Answer>>,
  write: (answer: Answer) => JsonText,
): RpcMethod<Params> {
  return {
    method,
    params,
    paramCount: 4,
    async handle(core, sent, address) {
      const request = paymasterDataRequest(sent, address);
      if (!request.ok) return request;
      const answer = await ask(core, request.value);
      return answer.ok ? { ok: true, value: write(answer.value) } : answer;
    },
  };
}

/** Converts any form of `context` in ERC-7677 and Pimlico's methods to the core's form. */
export function paymasterContext(sent: PaymasterContext, bearer?: string): SponsorshipContext {
  const { token, validForSeconds, sponsorshipPolicyId, parallelSigning, ...own } = sent ?? {};
  const context: Writable<SponsorshipContext> = sponsorshipContext(own, bearer);
  const feeToken = named(own.tokenInfo?.feeTokenAddress) ?? named(token);
  if (feeToken !== undefined) {
    context.mode ??= 'ERC20';
    context.tokenInfo = { ...context.tokenInfo, feeTokenAddress: feeToken };
  }
  context.mode ??= 'SPONSORED';
  const policyId = named(sponsorshipPolicyId);
  if (policyId !== undefined) context.policyId ??= policyId;
  if (parallelSigning != null) context.parallelSigning = parallelSigning;
  if (validForSeconds != null) context.expiryDuration ??= wishedSeconds(validForSeconds);
  return context;
}

/** `CHAIN_NOT_SUPPORTED` when a request names a different chain than its endpoint address. */
export function checkChainId(sent: ChainIdParam, chainId: number): Refusal | undefined {
  if (BigInt(sent) === BigInt(chainId)) return undefined;
  return {
    reason: 'CHAIN_NOT_SUPPORTED',
    message: `This URL is for chain ${chainId}, but the request is for chain ${BigInt(sent)}. Use the URL of a paymaster on that chain.`,
    field: 'params[2]',
  };
}
