import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, numberToHex } from 'viem';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { dummySignature } from '../../evm/account-codes/estimation-signature.ts';
import { toRpcOperation } from '../../evm/entry-point/rpc-operation.ts';
import type { Upstream, UpstreamMethod } from '../../node/upstream/create-upstream.ts';
import { readUpstreamFields, type UpstreamFields } from '../../node/upstream/read-upstream-fields.ts';
import type { MayGoUpstream } from './outage.ts';

/** Asks one question about an operation. Only the operation and the operator's context are sent. */
export async function askFields(
  { chain, contract }: MayGoUpstream,
  upstream: Upstream,
  method: UpstreamMethod,
  asked: { readonly operation: UserOperationWithGas; readonly paymasterAndData: Hex },
  before?: UpstreamFields,
): Promise<UpstreamFields | string> {
  const { operation } = asked;
  const signature = operation.signature === '0x' ? dummySignature : operation.signature;
  const { chainId, eip7702Marker = 'as-sent' } = chain.config;
  const params = [
    toRpcOperation({ ...asked, operation: { ...operation, signature } }, eip7702Marker),
    contract.location.entryPoint,
    numberToHex(chainId),
    upstream.config.context,
  ];
  const read = (result: unknown) =>
    readUpstreamFields(result, {
      ...{ version: operation.entryPointVersion, config: upstream.config },
      ...omitAbsent({ before }),
    });
  const answer = await upstream.ask(method, params, read);
  if (answer.kind === 'answered') return answer.value;
  if (answer.kind === 'failed') return answer.cause;
  return `it refused${answer.code === undefined ? '' : ` with code ${answer.code}`}`;
}
