import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { fixedSigner } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { verifyingPaymaster07 } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.7.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { checkChain } from '../../core/runtime/check-chain.ts';
import { chainConfig } from '../support/estimation/estimation-bench.ts';
import {
  type DeployedPaymaster,
  type PaymasterLab,
  startPaymasterLab,
} from '../support/paymaster-contracts/paymaster-lab.ts';
import { deployVerifyingPaymaster } from '../support/paymaster-contracts/verifying-lab.ts';
import { respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const stranger = getAddress(`0x${'b0'.repeat(20)}`);

let lab: PaymasterLab;
let paymaster: DeployedPaymaster;
beforeAll(async () => {
  lab = await startPaymasterLab();
  paymaster = await deployVerifyingPaymaster(lab, '0.7');
});
afterAll(() => lab.close());

function runtime(location = paymaster.contract, family = verifyingPaymaster07) {
  const signer = { address: stranger, signDigest: () => Promise.reject(new Error('Nothing is signed here.')) };
  return {
    version: '1.0.0',
    family,
    signer,
    tokenRecipient: stranger,
    priceMarkup: 1_000_000,
    premiumBasisPoints: 0,
    location,
  };
}

function check(contracts = [runtime()], changed: Partial<ChainConfig> = {}, signer = lab.signer.address) {
  const config = { ...chainConfig(lab.devnet), ...changed };
  return checkChain({ client: createChainClient(config), config, contracts, signers: [signer] });
}

/** What is wrong with the contracts that nothing can be signed for, by version. */
async function faultsOf(checked: ReturnType<typeof check>): Promise<ReadonlyMap<string, string | undefined>> {
  const stopped = [...(await checked)].filter(([, { signer }]) => signer === undefined);
  return new Map(stopped.map(([version, { complaint }]) => [version, complaint?.text]));
}

describe('the check of a chain at start', () => {
  test('finds no fault with what the configuration says', async () => {
    expect(await check()).toEqual(new Map([['1.0.0', { signer: lab.signer.address }]]));
  });

  test('finds a signer that is not ours', async () => {
    const verdict = (await check([runtime()], {}, stranger)).get('1.0.0');
    expect(verdict?.complaint?.remedy).toBe(`${fixedSigner}.`);
    expect(verdict?.complaint?.text).toBe(
      `The paymaster contract of version 1.0.0 at ${paymaster.contract.address} on chain 31337 does not have ${stranger} as its signer.`,
    );
  });

  test('finds a contract that hashes differently than its family', async () => {
    const family = {
      ...verifyingPaymaster07,
      preflight: () => verifyingPaymaster07.preflight({ ...paymaster.contract, chainId: 1 }, lab.signer.address),
    };
    const [fault] = (await faultsOf(check([runtime(paymaster.contract, family)]))).values();
    expect(fault).toContain('hashes an operation in mode SPONSORED differently than its family');
  });

  test('finds a contract that reverts, and goes on to the others', async () => {
    const another = { ...runtime({ ...paymaster.contract, address: lab.devnet.target.address }), version: '2.0.0' };
    expect([...(await faultsOf(check([another, runtime()]))).keys()]).toEqual(['2.0.0']);
  });

  test('refuses the start without an EntryPoint', async () => {
    const location = { ...paymaster.contract, entryPoint: stranger };
    await expect(check([runtime(location)])).rejects.toMatchObject({
      tryAgain: false,
      message: expect.stringContaining('EntryPoint 0.7 has no code'),
    });
  });

  test('refuses the start on another chain', async () => {
    await expect(check([runtime()], { chainId: 1 })).rejects.toMatchObject({
      tryAgain: false,
      message: 'The node of chain 1 is on chain 31337.',
    });
  });

  test('asks to try again while the node is down, and takes no outage for a fault', async () => {
    const node = await startRpcServer((_request, response) => respond(response, 'busy', 503));
    const start = check([runtime()], { nodeUrls: [node.url] });
    await expect(start).rejects.toMatchObject({
      tryAgain: true,
      message: expect.stringContaining('did not answer.'),
    });
    await node.close();
  });
});
