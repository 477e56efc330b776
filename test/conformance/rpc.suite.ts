import { beforeAll, describe } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { useService } from '../support/interface/use-service.ts';
import type { ServiceOptions } from '../support/service/running-service.ts';
import { describePolicyChanges } from './policy-changes.suite.ts';
import { configureRpcBench, type RpcBench } from './rpc-bench.ts';
import { describeProtocol } from './rpc-protocol.suite.ts';
import { describeRefusals } from './rpc-refusals.suite.ts';
import { describeSponsorship } from './rpc-sponsorship.suite.ts';
import { describeTokenMode } from './rpc-token-mode.suite.ts';
import { describeWebhookCallbacks } from './webhook-callbacks.suite.ts';

/** The RPC endpoint, rule by rule. */
export function describeRpc(handle: NonNullable<ServiceOptions['handle']>): void {
  describe(`RPC endpoint over the ${handle} handle`, () => {
    const service = useService({ handle, configure: configureRpcBench });
    const paymasters = new Map<EntryPointVersion, DevPaymaster>();
    beforeAll(async () => {
      const { authToken } = await service().issueAccount();
      for (const version of entryPointVersions) {
        paymasters.set(version, await service().fundedPaymaster(authToken, version));
      }
    });
    const paymaster = (version: EntryPointVersion = '0.7') => {
      const found = paymasters.get(version);
      if (found === undefined) throw new Error(`There is no paymaster for EntryPoint ${version}.`);
      return found;
    };
    const bench: RpcBench = { service, paymaster, url: (version) => paymaster(version).rpcUrl };
    describe('protocol', () => describeProtocol(bench));
    describe('sponsorship', () => describeSponsorship(bench));
    describe('token mode', () => describeTokenMode(bench));
    describe('refusals', () => describeRefusals(bench, handle));
    describe('policy changes', () => describePolicyChanges(bench));
    describe('webhooks', () => describeWebhookCallbacks(bench));
  });
}
