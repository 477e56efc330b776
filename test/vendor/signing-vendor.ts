import { type Address, concat, getAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { DeployedPaymaster, PaymasterLab } from '../support/paymaster-contracts/paymaster-lab.ts';
import { respond } from '../support/servers/json-rpc-server.ts';
import { freshKey } from '../support/service/running-service.ts';
import type { Behaviour } from './vendor-lab.ts';

/** The limits that the vendor signs with, whatever the client sends. Biconomy's contract demands 100,000 for postOp. */
const vendorLimits = { paymasterVerificationGasLimit: 60_000n, paymasterPostOpGasLimit: 110_000n };

/** An operation of EntryPoint 0.7 as a vendor receives it. */
type Sent = Readonly<Record<string, Hex>>;

/** A vendor with a contract of its own, which signs stubs as well as data and does not say so, as Etherspot's Arka does. */
export async function openSigningVendor(
  devnet: Devnet,
  deploy: (lab: PaymasterLab) => Promise<DeployedPaymaster>,
): Promise<{ readonly address: Address; readonly behaviour: Behaviour }> {
  const signer = privateKeyToAccount(freshKey());
  const fundingWallet = privateKeyToAccount(devnet.fundedKeys[2] ?? '0x').address;
  const { contract, family } = await deploy({ devnet, signer, close: devnet.close });
  const behaviour: Behaviour = async (request, response) => {
    const operation = readSent(request.params[0] as Sent);
    const now = Math.floor(Date.now() / 1_000);
    const times = { validUntil: now + 600, validAfter: now - 60 };
    const signedTerms: SignedTerms = { mode: 'SPONSORED', ...times, fundingWallet, priceMarkup: 1_000_000 };
    const { unsigned, digest } = family.prepare(contract, operation, signedTerms);
    const signed = family.assemble(unsigned, await signer.signMessage({ message: { raw: digest } }));
    const result = {
      paymaster: contract.address,
      paymasterData: `0x${signed.slice(2 + 2 * 52)}`,
      paymasterVerificationGasLimit: hexOf(vendorLimits.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: hexOf(vendorLimits.paymasterPostOpGasLimit),
    };
    respond(response, { jsonrpc: '2.0', id: request.id, result, error: null });
  };
  return { address: getAddress(contract.address), behaviour };
}

function readSent(sent: Sent): UserOperationWithGas {
  const { sender = '0x', callData = '0x', factory, factoryData = '0x', signature = '0x' } = sent;
  const number = (name: string) => BigInt(sent[name] ?? 0);
  return {
    entryPointVersion: '0.7',
    sender,
    callData,
    signature,
    nonce: number('nonce'),
    initCode: factory === undefined ? '0x' : concat([factory, factoryData]),
    maxFeePerGas: number('maxFeePerGas'),
    maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
    gas: {
      callGasLimit: number('callGasLimit'),
      verificationGasLimit: number('verificationGasLimit'),
      preVerificationGas: number('preVerificationGas'),
      ...vendorLimits,
    },
  };
}

function hexOf(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
