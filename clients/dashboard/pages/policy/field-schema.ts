import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { z } from 'zod';

/** The parts of a field's schema that the form uses. */
export type FieldSchema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
};

/** The fields of a policy, from the contract. */
export const policySchema = z.toJSONSchema(PolicyRequestSchema, {
  io: 'input',
  unrepresentable: 'any',
}) as FieldSchema;

export type SchemaFieldProps = {
  readonly name: string;
  readonly schema: FieldSchema;
  /** Undefined: the policy does not have the field. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The other fields of its group, if it is in one. */
  readonly group?: Readonly<Record<string, unknown>>;
};

/** Hints for fields whose API description is too technical. */
const hints: Readonly<Record<string, string>> = {
  sponsorAllCalls: 'Without this, only methods chosen on the page Contracts are sponsored.',
  allowAccountDeployment: 'A smart account is a contract. Deploying it costs gas once.',
  allowRevertingOperations: 'A failing call costs gas nevertheless.',
  relay: 'The operator’s bundler sends operations without fees and paymaster. The gas tank pays for them.',
  accounts:
    'A smart account’s code decides what it does with a request. The code of published accounts is known; other code could waste your gas.',
  wei: 'Such as 0.0005.',
  usd: 'At the current price, such as 0.50.',
  maxFeePerGas: 'For example 30. Above it, nothing is sponsored.',
  maxGasPerOperation: 'Gas measures work on the chain: a simple call needs about 100000.',
  maxPreVerificationGas: 'Paid to the bundler in full, whatever the operation uses. A simple call needs about 50000.',
  allowedSenders: 'Only these smart accounts are sponsored.',
  blockedSenders: 'These smart accounts are never sponsored, even if they are allowed.',
  requireTicket:
    'A ticket is signed by your server or your login and names the sponsored user. Add its keys on the page Tickets.',
  thenPayInToken:
    'For example: three operations free, then USDC. Calls your policy does not allow stay blocked even if the user pays.',
  userPaysPercent:
    'For example 50: users pay half in a token, you pay the other half, and limits count your half. Empty: you pay everything, or users who choose a token do.',
  maxValiditySeconds:
    'For wallets that need hours to collect signatures: up to 86400, which is a day. The maximum cost of such operations is held for as long.',
  enabled: 'Users without the chain’s coin can pay their gas in a token, such as a stablecoin.',
  allowed: 'Token addresses. Empty: all tokens the service accepts on this chain.',
  tokenRecipient: 'The address that receives the tokens. Empty: the operator’s.',
  max: 'A number of operations, or an amount such as 0.05.',
  limits: 'For example: 10 operations per sender and day. Open holds count; released ones do not.',
  callRules:
    'For example: sponsor a transfer only up to an amount of 100. If a method has rules, each call must meet all conditions of one of them.',
  methodGas:
    'For methods that call an address of the caller’s choice, such as safeMint. Its code could use up the gas. Preview the policy to see what operations need.',
  maxCallGas: 'For all calls of one operation together. A simple call needs about 60000.',
  argument:
    'Name of the argument in the ABI, such as amount. msg.value is the amount of the chain’s coin sent, in wei, with the call.',
  pauses: 'Weekly times without sponsorship, in UTC.',
  ignoreForeignPolicyIds:
    'For applications that still send the policy id of another service. Otherwise they are refused.',
  origins:
    'Such as https://app.example.com, or https://*.example.com for all subdomains. Only browsers enforce this; other programs can claim any page.',
  networks: 'The IP addresses of your servers, such as 203.0.113.7, or a range of them, such as 10.0.0.0/8.',
  methods: 'None selected: all methods.',
  rate: 'More requests are refused for the moment. Leave both empty for no limit.',
};

/** A field's hint, without code formatting; undefined if there is none. */
export function hintOf(name: string, { description }: FieldSchema): string | undefined {
  return hints[name] ?? description?.replaceAll('`', '');
}

/** A draft without empty fields. Fields unknown to the schema are kept unchanged. */
export function withoutEmpty(value: unknown, schema: FieldSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => withoutEmpty(each, schema.items) ?? each);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, withoutEmpty(each, schema.properties?.[key])] as const)
    .filter(([, each]) => each !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
