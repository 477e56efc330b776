import { actAs } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { systemClock } from '../../server/system-clock.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const anywhere = { host: '127.0.0.1', port: 0 };

/** A gateway as production runs it, but with rate limits out of the way: each request comes from an address of its own. */
export function startBenchGateway(core: Core, requestsAtOnce?: number): Promise<Gateway> {
  return startGateway({
    core,
    actAs,
    listen: anywhere,
    admin: anywhere,
    logger: silentLogger,
    clock: systemClock,
    trustedProxies: ['127.0.0.1/32'],
    limits: {
      ...defaultGatewayLimits,
      requestsPerSecond: 1_000_000,
      requestBurst: 1_000_000,
      ...(requestsAtOnce === undefined ? {} : { requestsAtOnce }),
    },
  });
}

export type GatewayAddresses = { readonly url: string; readonly adminUrl: string };
