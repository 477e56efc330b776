import type { Address } from 'viem';
import { expect, vi } from 'vitest';
import { actAs } from '../../core/domain/access/actor.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { systemClock } from '../../server/system-clock.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { customer } from '../support/paymaster-contracts/biconomy-lab.ts';
import type { DeployedPaymaster } from '../support/paymaster-contracts/paymaster-lab.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { startFamiliesService } from './families-service.ts';

/** A version of the paymaster for every family, in the order of the table of families. */
const versions = new Map([...paymasterContractFamilies.keys()].map((family, index) => [family, `${index + 1}.0.0`]));
const stranger: Address = '0x00000000000000000000000000000000000000b0';

/** A service with a contract of every family, behind a gateway. */
export async function startFamiliesGateway() {
  const service = await startFamiliesService(
    (deployed, tokenRecipient) =>
      [...versions].map(([family, version]) => ({
        version,
        family,
        address: deployed.get(family)?.contract.address ?? stranger,
        tokenRecipient,
      })),
    silentLogger,
  );
  const anywhere = { host: '127.0.0.1', port: 0 };
  const gateway = await startGateway({
    core: service.core,
    actAs,
    listen: anywhere,
    admin: anywhere,
    limits: defaultGatewayLimits,
    logger: silentLogger,
    clock: systemClock,
  });
  const urls = new Map<string, string>();
  return {
    service,
    deployed(family: string): DeployedPaymaster {
      const deployed = service.deployed.get(family);
      if (deployed === undefined) throw new Error(`${family} is not deployed.`);
      return deployed;
    },
    /** Where clients ask for a paymaster of the family, which has coin in its tank. */
    async urlOf(family: string): Promise<string> {
      const known = urls.get(family);
      if (known !== undefined) return known;
      const { contract } = this.deployed(family);
      const { apiKey } = await service.paymaster(versions.get(family) ?? '');
      const readFunded = () => readTank(service.database, contract.address, customer(service.lab).address).funded;
      await vi.waitFor(() => expect(readFunded()).toBeGreaterThan(0n), { timeout: 20_000 });
      const url = `${gateway.url}/api/v1/${service.lab.devnet.chainId}/${apiKey}`;
      urls.set(family, url);
      return url;
    },
    async close(): Promise<void> {
      await gateway.close();
      await service.close();
    },
  };
}

export type FamiliesGateway = Awaited<ReturnType<typeof startFamiliesGateway>>;
