import type { Refusal } from '../../core/domain/result/refusal.ts';

/** `CHAIN_NOT_SUPPORTED` when a request names a different chain than its endpoint address. `sent` is hex or decimal. */
export function checkChainId(sent: string, chainId: number): Refusal | undefined {
  if (BigInt(sent) === BigInt(chainId)) {
    return undefined;
  }
  return {
    reason: 'CHAIN_NOT_SUPPORTED',
    message: `This address serves chain ${chainId}, but the request is for chain ${BigInt(sent)}`,
    field: 'params[2]',
  };
}
