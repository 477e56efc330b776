import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  numberToHex,
} from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { ContractWalletQuestion } from '../domain/sign-in.ts';
import type { ChainClient } from './chain-client.ts';
import { explainNodeError } from './node-error.ts';
import { readRpcAnswer } from './rpc/rpc-answer.ts';

/** The last 32 bytes of a signature for a wallet that is not deployed yet (ERC-6492). */
const undeployedSuffix = '6492'.repeat(16);
/** Bounds the computation of a wallet's own code. A Safe with ten owners uses about 100,000 gas. */
const maxGas = 10_000_000n;

/**
 * Asks a chain whether a contract wallet accepts a signature (ERC-1271 `isValidSignature`, or ERC-6492). The validator of
 * ERC-6492 runs in one `eth_call`. It also accepts several forms of EOA signatures, so it is not called for an address
 * without code.
 */
export async function askContractWallet(
  client: ChainClient,
  { wallet, message, signature }: ContractWalletQuestion,
): Promise<Result<boolean>> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [wallet, hashMessage(message), signature],
    bytecode: erc6492SignatureValidatorByteCode,
  });
  try {
    const isUndeployed = signature.endsWith(undeployedSuffix);
    if (!isUndeployed && (await client.getCode({ address: wallet })) === undefined) return accept(false);
    const call = { data, gas: numberToHex(maxGas) };
    return accept((await client.request({ method: 'eth_call', params: [call, 'latest'] })) === '0x01');
  } catch (error) {
    const answer = readRpcAnswer(error);
    // Code 3 is a revert: the validator reverts if the wallet does, or if no factory creates the wallet.
    const hasReverted = answer?.code === 3 || /revert|out of gas|invalid opcode/i.test(answer?.details ?? '');
    return hasReverted ? accept(false) : refuse(explainNodeError(error));
  }
}
