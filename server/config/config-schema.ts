import { maxArchiveDays, maxValiditySeconds, minArchiveDays } from '@tollfree/contract/limits';
import { z } from 'zod';
import { Secret } from '../../core/base/values/secret.ts';
import { defaultUnpaidBudget } from '../../core/domain/budget.ts';
import { defaultHoldCaps, type HoldCaps } from '../../core/domain/chain-config.ts';
import { signUpModes } from '../../core/domain/sign-in.ts';
import { parseGrpcAddress } from '../../core/grpc/address.ts';
import { defaultGatewayLimits, type GatewayLimits } from '../../gateway/gateway-limits.ts';
import { chainSchema, httpUrlSchema } from './chain-schema.ts';
import { minValiditySeconds, webhookConnectTimeoutMs } from './fixed-settings.ts';
import { priceSourceSchema } from './price-schema.ts';
import { signerSchema } from './signer-schema.ts';
import { areAllDifferent, isPublicUrl, parseHostAndPort, refusal } from './value-schemas.ts';

/** Limits that the operator may set; the gateway's other limits are fixed. */
const gatewayLimitsSchema = z
  .strictObject({
    failedLoginsPerMinute: count('failedLoginsPerMinute'),
    requestsAtOnce: count('requestsAtOnce'),
    requestsPerSecond: count('requestsPerSecond'),
    requestBurst: count('requestBurst'),
    managementPerSecond: count('managementPerSecond'),
    managementBurst: count('managementBurst'),
    changesPerDay: count('changesPerDay'),
  })
  .transform((chosen): GatewayLimits => ({ ...defaultGatewayLimits, ...chosen }));

function count(name: keyof GatewayLimits) {
  return z.int().min(1).max(1_000_000).default(defaultGatewayLimits[name]);
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export function isLogLevel(text: string): text is LogLevel {
  return logLevels.some((level) => level === text);
}

const filePath = z.string().min(1, 'must be the path of a file');

/** Contains its password, so it must not be printed. */
const postgresUrl = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be the URL of a PostgreSQL database, like postgres://user@host/name',
  )
  .transform((text) => new Secret(text));

const listenAddress = z.string().transform((text, context) => {
  const address = parseHostAndPort(text);
  if (address !== undefined) return address;
  context.addIssue({ code: 'custom', message: 'must be host:port, like 127.0.0.1:3000' });
  return z.NEVER;
});

const grpcAddress = z.string().refine((text) => {
  try {
    parseGrpcAddress(text);
    return true;
  } catch {
    return false;
  }
}, 'must be host:port or unix:/path, like unix:/run/tollfree/core.sock, with at most 103 bytes in the path');

const seconds = (min: number, max: number) => z.int().min(min).max(max);

const gatewaySchema = z.strictObject({
  listen: listenAddress.default({ host: '127.0.0.1', port: 3000 }),
  adminListen: listenAddress.default({ host: '127.0.0.1', port: 9464 }),
  trustedProxies: z.array(z.string().min(1)).max(100).default([]),
  accessLog: z.boolean().default(true),
  drainDelaySeconds: z.number().min(0).max(60).default(0),
  limits: gatewayLimitsSchema.prefault({}),
});

const grpcSchema = z.strictObject({
  listen: grpcAddress.optional(),
  tokenFile: filePath.optional(),
  reflection: z.boolean().default(false),
  tls: z.strictObject({ certificateFile: filePath, keyFile: filePath, clientCaFile: filePath }).optional(),
});

/** One or several cores of the same database: a list, or comma-separated text from a flag or a variable. */
const coreAddresses = z.preprocess(
  (given) => (typeof given === 'string' ? given.split(',').map((one) => one.trim()) : given),
  z
    .array(grpcAddress)
    .min(1, 'must have at least one address')
    .max(32)
    .refine((addresses) => new Set(addresses).size === addresses.length, 'must not have the same address twice'),
);

const coreConnectionSchema = z.strictObject({
  address: coreAddresses,
  tokenFile: filePath.optional(),
  tls: z.strictObject({ certificateFile: filePath, keyFile: filePath, caFile: filePath }).optional(),
});

const webhooksSchema = z
  .strictObject({
    allowHttp: z.boolean().default(false),
    allowedRanges: z
      .array(z.union([z.cidrv4(), z.cidrv6()], 'must be a CIDR range, like 10.1.0.0/16'))
      .max(100)
      .default([]),
    timeoutMs: z.int().min(100).max(10_000).default(2_000),
  })
  .transform((chosen) => ({ ...chosen, connectTimeoutMs: webhookConnectTimeoutMs }));

const validitySchema = z
  .strictObject({
    defaultSeconds: seconds(minValiditySeconds, 3_600).default(300),
    maxSeconds: seconds(minValiditySeconds, 3_600).default(600),
    maxSecondsByPolicy: seconds(minValiditySeconds, maxValiditySeconds).exactOptional(),
  })
  .refine(
    ({ defaultSeconds, maxSeconds }) => defaultSeconds <= maxSeconds,
    refusal('must have defaultSeconds ≤ maxSeconds'),
  )
  .refine(
    ({ maxSeconds, maxSecondsByPolicy = maxSeconds }) => maxSeconds <= maxSecondsByPolicy,
    refusal('must have maxSeconds ≤ maxSecondsByPolicy'),
  )
  .transform((chosen) => ({ ...chosen, minSeconds: minValiditySeconds }));

const shareOfTank = z.number().min(0.001).max(1);

const holdsSchema = z
  .strictObject({
    maxOpenHoldsPerSender: z.int().min(1).max(100_000).default(defaultHoldCaps.maxOpenHoldsPerSender),
    maxShareOfTankPerSender: shareOfTank.default(defaultHoldCaps.maxShareOfTankPerSender),
    maxOpenHoldsPerClient: z.int().min(1).max(1_000_000).default(defaultHoldCaps.maxOpenHoldsPerClient),
    maxShareOfTankPerClient: shareOfTank.default(defaultHoldCaps.maxShareOfTankPerClient),
    maxShareOfTankLastingLong: shareOfTank.default(defaultHoldCaps.maxShareOfTankLastingLong),
  })
  .transform((chosen): HoldCaps => ({ ...defaultHoldCaps, ...chosen }));

const share = z.number().min(0).max(1);
const tokenPaymentsSchema = z.strictObject({
  maxUnpaidSharePerSender: share.default(defaultUnpaidBudget.maxUnpaidSharePerSender),
  maxUnpaidSharePerPaymaster: share.default(defaultUnpaidBudget.maxUnpaidSharePerPaymaster),
});

/** A whole number, also as text from a flag or variable. */
const wholeNumber = (min: number, max: number) =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      'must be a whole number',
    )
    .pipe(z.int().min(min).max(max));

/** The dashboard requires https; http is only for this machine. Sign-in messages support these hosts. */
const publicUrl = z
  .string()
  .refine(
    isPublicUrl,
    'must be an https URL without a path, like https://gas.example.org, or http on localhost or 127.0.0.1',
  );

const dashboardSchema = z.strictObject({
  publicUrl: publicUrl.optional(),
  signUp: z.enum(signUpModes).default('closed'),
  operators: z.array(z.uuid('must be the id of an account, as tollfree account list shows it')).max(100).default([]),
});

const decisionsSchema = z.strictObject({
  keepDays: wholeNumber(1, 3_650).default(30),
  keepMost: wholeNumber(1_000, 100_000_000).default(1_000_000),
});

const auditLogSchema = z.strictObject({ keepDays: wholeNumber(1, 36_500).optional() });

/** The names by which chains refer to signers and price sources. */
const partName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'must be a name of letters, digits, dots and dashes');

const ledgerSchema = z.strictObject({ keepDays: wholeNumber(minArchiveDays, maxArchiveDays).optional() });

const tracingSchema = z.strictObject({
  otlpUrl: httpUrlSchema.optional(),
  sampleRatio: z.number().min(0).max(1).default(1),
});

/**
 * The configuration file. Unknown keys are errors. Which sections are required depends on the command; settings with a
 * default are optional.
 */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  logLevel: z.enum(logLevels).default('info'),
  databaseFile: filePath.optional(),
  databaseUrl: postgresUrl.optional(),
  masterKeyFile: filePath.optional(),
  previousMasterKeyFiles: z.array(filePath).max(10).default([]),
  gateway: gatewaySchema.prefault({}),
  grpc: grpcSchema.prefault({}),
  core: coreConnectionSchema.optional(),
  webhooks: webhooksSchema.prefault({}),
  validity: validitySchema.prefault({}),
  decisions: decisionsSchema.prefault({}),
  auditLog: auditLogSchema.prefault({}),
  ledger: ledgerSchema.prefault({}),
  dashboard: dashboardSchema.prefault({}),
  tracing: tracingSchema.prefault({}),
  holds: holdsSchema.prefault({}),
  tokenPayments: tokenPaymentsSchema.prefault({}),
  signers: z.record(partName, signerSchema).optional(),
  priceSources: z.record(partName, priceSourceSchema).optional(),
  chains: z
    .array(chainSchema)
    .min(1, 'must have at least one chain')
    .max(100)
    .refine(
      (chains) => areAllDifferent(chains, 'chainId'),
      refusal('must not have the same chainId twice', { id: 'twice', key: 'chainId' }),
    )
    .optional(),
});

/** A valid configuration, with defaults. */
export type Config = z.output<typeof configSchema>;
