import { z } from 'zod';
import { defaultGatewayLimits, type GatewayLimits } from '../../gateway/gateway-limits.ts';

const kibibyte = 1_024;

/** Bounds the operator may set; the rest of the gateway's limits are fixed. */
export const gatewayLimitsSchema = z
  .strictObject({
    rpcBodyBytes: bytes('rpcBodyBytes'),
    managementBodyBytes: bytes('managementBodyBytes'),
    abiBodyBytes: bytes('abiBodyBytes'),
    failedLoginsPerMinute: count('failedLoginsPerMinute'),
    requestsAtOnce: count('requestsAtOnce'),
    requestsPerSecond: count('requestsPerSecond'),
    requestBurst: count('requestBurst'),
    managementPerSecond: count('managementPerSecond'),
    managementBurst: count('managementBurst'),
  })
  .transform((chosen): GatewayLimits => ({ ...defaultGatewayLimits, ...chosen }));

function bytes(name: keyof GatewayLimits) {
  return z
    .int()
    .min(kibibyte)
    .max(16 * kibibyte * kibibyte)
    .default(defaultGatewayLimits[name]);
}

function count(name: keyof GatewayLimits) {
  return z.int().min(1).max(1_000_000).default(defaultGatewayLimits[name]);
}
