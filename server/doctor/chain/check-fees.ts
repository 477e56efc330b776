import { zeroAddress } from 'viem';
import { entryPointAddresses } from '../../../core/domain/entry-point-version.ts';
import { createChainFees } from '../../../core/gas/fees/fee-models.ts';
import { findFeeModel } from '../../../core/gas/fees/find-fee-model.ts';
import type { SimulatedOperation } from '../../../core/gas/simulation/estimation-context.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { type Check, type Findings, type FindingsAbout, findingsAbout } from '../finding.ts';

/** An operation of usual size, for which the chain is asked what its data costs. */
const sample: SimulatedOperation = {
  operation: {
    entryPointVersion: '0.7',
    sender: zeroAddress,
    nonce: 0n,
    initCode: '0x',
    callData: `0x${'b6'.repeat(200)}`,
    maxFeePerGas: 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 9n,
    signature: `0x${'5c'.repeat(65)}`,
    gas: {
      callGasLimit: 100_000n,
      verificationGasLimit: 100_000n,
      preVerificationGas: 50_000n,
      paymasterVerificationGasLimit: 50_000n,
      paymasterPostOpGasLimit: 0n,
    },
  },
  entryPoint: entryPointAddresses['0.7'],
  paymasterAndData: `0x${'3d'.repeat(150)}`,
};

/** The gas for which the fee is asked. */
const sampleGas = 200_000n;

/** Asks what the chain charges for data, as every estimate does: without an answer nothing is estimated. */
export function checkFees(chain: ChainSection, client: ChainClient): readonly Check[] {
  const about = `chain ${chain.chainId}, data fee`;
  return [{ about, run: () => lookAtFee(chain, client, findingsAbout(about)) }];
}

async function lookAtFee(chain: ChainSection, client: ChainClient, find: FindingsAbout): Promise<Findings> {
  // A node that shows no code is reported with the contracts.
  const model = await findFeeModel(client, chain).catch(() => undefined);
  if (model === undefined) return [];
  const { dataFee } = createChainFees({ client, config: chain });
  if (dataFee === undefined || model === 'none') return find.ok('data-fee', 'The chain charges nothing for data.');
  const answer = await dataFee.ask(sample);
  if (answer.ok) {
    const fee = answer.value(sampleGas);
    const amount = fee.kind === 'gas' ? `${fee.gas} gas` : `${fee.wei} wei`;
    return find.ok(
      'data-fee',
      `Its fee model ${model} answers: an operation of usual size pays ${amount} for its data.`,
    );
  }
  const remedy =
    'Check dataFee of the chain, and that its node answers calls of predeployed contracts. Until it answers, nothing is estimated.';
  return find.failure('data-fee', answer.refusal.message, remedy);
}
