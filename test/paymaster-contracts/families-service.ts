import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import type { Logger } from '../../core/base/logger.ts';
import type { PaymasterContractConfig } from '../../core/domain/core-config.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { TankFilling } from '../../core/domain/gas-tank.ts';
import type { SignedPaymasterData, SponsorshipContext, SponsorshipRequest } from '../../core/domain/sponsorship.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { startLocalCore } from '../../core/local.ts';
import { accepted } from '../../server/accepted.ts';
import { devCoreConfig } from '../../server/dev/dev-core-config.ts';
import { openDevState } from '../../server/dev/dev-state.ts';
import {
  buildUserOperation,
  type DevCall,
  signUserOperation,
} from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation } from '../../server/dev/user-operation/entry-point.ts';
import { systemClock } from '../../server/system-clock.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { customer } from '../support/paymaster-contracts/biconomy-lab.ts';
import { type DeployedFamilies, deployFamilies } from '../support/paymaster-contracts/deploy-families.ts';
import type { PaymasterLab } from '../support/paymaster-contracts/paymaster-lab.ts';
import { withModularAccounts } from '../support/published-clients/to-modular-account.ts';

/** What goes from the answer into the operation itself. */
type SignedPart = Pick<SignedPaymasterData, 'paymasterAndData'> & {
  readonly gas: Pick<GasLimits, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>;
};

/**
 * The core on a chain with a contract of every family. `configure` names the paymaster contracts by version, given what is
 * deployed.
 */
export async function startFamiliesService(
  configure: (
    deployed: DeployedFamilies,
    tokenRecipient: Address,
    lab: PaymasterLab,
  ) => readonly PaymasterContractConfig[] | Promise<readonly PaymasterContractConfig[]>,
  logger: Logger,
) {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-families-'));
  const state = openDevState(folder);
  const signer = privateKeyToAccount(state.signerKey.reveal());
  const devnet = await leaseDevnet(signer.address);
  const lab: PaymasterLab = { devnet, signer, close: devnet.close };
  const deployed = await deployFamilies(lab);
  const plain = devCoreConfig(devnet, state, await devnet.client.getBlockNumber());
  const paymasterContracts = await configure(deployed, devnet.tokenRecipient, lab);
  const config = withModularAccounts({
    ...plain,
    chains: plain.chains.map((chain) => ({ ...chain, paymasterContracts })),
  });
  const removeAll = async () => {
    await devnet.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const local = await startLocalCore(config, { logger, clock: systemClock }).catch(async (cause: unknown) => {
    await removeAll();
    throw cause;
  });
  const { core } = local;
  const { accountId } = accepted(await core.createAccount({ name: 'families' }));

  return {
    core,
    lab,
    deployed,
    config,
    signerKey: state.signerKey,
    changeSigners: (chains: Parameters<typeof local.changeKeys>[0]['chains']) =>
      local.changeKeys({ ...config, chains }),
    database: config.database,
    /** A paymaster that sponsors the chain's target, with the customer's wallet and 10 ETH in its tank. */
    async paymaster(version: string): Promise<{ apiKey: string; owned: { accountId: string; paymasterId: string } }> {
      const name = `dapp ${randomUUID()}`;
      const { chainId } = devnet;
      const { paymasterId, apiKey } = accepted(
        await core.createPaymaster({ accountId, name, type: 'HYBRID', chainId, version }),
      );
      const owned = { accountId, paymasterId };
      const { address, abi } = devnet.target;
      const contract = { name: 'target', address, abi: JSON.stringify(abi), whitelistedMethods: ['increment'] };
      accepted(await core.registerSmartContract({ ...owned, ...contract }));
      const wallet = customer(lab);
      const { fundingMessage } = accepted(await core.createFundingMessage(owned));
      const signature = await wallet.signMessage({ message: fundingMessage });
      accepted(await core.setFundingWallet({ ...owned, signature, address: wallet.address }));
      const { filling } = accepted(await core.readGasTank(owned));
      if (filling !== undefined) await fillTank(lab, filling);
      // The contract was asked for the balance just now, which is remembered for a moment.
      if (filling?.from === 'anybody') {
        await vi.waitFor(async () => expect(accepted(await core.readGasTank(owned)).available).toBeGreaterThan(0n), {
          timeout: 15_000,
        });
      }
      return { apiKey, owned };
    },
    /** An operation of a new SimpleAccount, without gas limits. */
    build(version: EntryPointVersion, salt: bigint, calls: readonly DevCall[]): Promise<DevUserOperation> {
      return buildUserOperation(devnet, { version, owner: signer.address, salt }, calls);
    },
    ask(apiKey: string, operation: DevUserOperation, context: Partial<SponsorshipContext>) {
      const { paymasterAndData: _, ...userOperation } = toRpcUserOperation(operation);
      const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
      return {
        apiKey,
        chainId: devnet.chainId,
        userOperation,
        context: { calculateGasLimits: true, sponsorshipInfoGiven: true, smartAccountInfo, ...context },
      };
    },
    /**
     * Asks for a signature. The deposit has just been made: a look at the chain that was under way may have missed it, so
     * what lacks funds is asked for once more, after that look.
     */
    async sponsor(request: SponsorshipRequest): Promise<SignedPaymasterData> {
      const first = await core.sponsorUserOperation(request);
      const missed = !first.ok && first.refusal.reason === 'INSUFFICIENT_FUNDS';
      return accepted(missed ? await core.sponsorUserOperation(request) : first);
    },
    /** Puts the answer into the operation, signs it as its owner and has the EntryPoint handle it. */
    async land(operation: DevUserOperation, { gas, paymasterAndData }: SignedPart) {
      const { callGasLimit, verificationGasLimit, preVerificationGas } = gas;
      const limits = { callGasLimit, verificationGasLimit, preVerificationGas };
      const complete = await signUserOperation(devnet, { ...operation, ...limits, paymasterAndData }, signer);
      const bundler = privateKeyToAccount(devnet.fundedKeys[1] ?? '0x');
      return handleUserOperation(devnet, complete, bundler);
    },
    close: async () => {
      await local.close();
      await removeAll();
    },
  };
}

export type FamiliesService = Awaited<ReturnType<typeof startFamiliesService>>;

/** Fills it with the call that the service names, whatever the family. */
async function fillTank(lab: PaymasterLab, { to, data }: TankFilling): Promise<void> {
  const { client } = lab.devnet;
  const account = customer(lab);
  const value = parseEther('10');
  const hash = await client.sendTransaction({ account, chain: client.chain, to, data, value });
  await client.waitForTransactionReceipt({ hash });
}
