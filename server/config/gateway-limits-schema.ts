import { z } from 'zod';
import { defaultGatewayLimits, type GatewayLimits } from '../../gateway/gateway-limits.ts';

/** Limits that the operator may set; the gateway's other limits are fixed. */
export const gatewayLimitsSchema = z
  .strictObject({
    failedLoginsPerMinute: count('failedLoginsPerMinute'),
    requestsAtOnce: count('requestsAtOnce'),
    requestsPerSecond: count('requestsPerSecond'),
    requestBurst: count('requestBurst'),
    managementPerSecond: count('managementPerSecond'),
    managementBurst: count('managementBurst'),
  })
  .transform((chosen): GatewayLimits => ({ ...defaultGatewayLimits, ...chosen }));

function count(name: keyof GatewayLimits) {
  return z.int().min(1).max(1_000_000).default(defaultGatewayLimits[name]);
}
