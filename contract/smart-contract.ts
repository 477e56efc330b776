import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { etag } from './fields/etag.ts';
import { exactly } from './fields/exactly.ts';
import { afterType, withForm } from './fields/form.ts';
import { address } from './fields/forms.ts';
import { maxMethodLength, maxWhitelistedMethods } from './limits.ts';
import { omitAbsent } from './omit-absent.ts';
import { manageOperation, readOperation } from './operation.ts';
import { addressField, nameField } from './text-field.ts';

const wantedAddress = addressField('address');

/** Whether the text may be an ABI, checked here so that it fails before later fields; the core parses it. */
function isJsonArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

const whitelistedMethods = z
  .array(
    z
      .string({ error: 'whitelistedMethods must be an array of strings' })
      .check(afterType(z.maxLength(maxMethodLength, { error: 'whitelistedMethods must contain method names' }))),
    { error: 'whitelistedMethods must be an array' },
  )
  .check(
    afterType(
      z.maxLength(maxWhitelistedMethods, {
        error: `whitelistedMethods must have at most ${maxWhitelistedMethods} elements`,
      }),
    ),
  )
  .describe('Method names (every overload) or full signatures (one overload).');

const callsBack = z
  .array(z.string())
  .describe(
    'Whitelisted methods that call an address of the caller’s choice, each with what it calls and how that is known: the standard that has the method, or the decision whose operation showed it. Code there can use all gas of the operation: cap it with `methodGas` of the policy.',
  );

export const SmartContractSchema = z.object({
  name: z.string(),
  address: address.describe('Checksummed address.'),
  abi: z.string().describe('JSON text.'),
  whitelistedMethods: z.array(z.string()),
  methods: z.array(z.string()).describe('Names of the state-changing functions in the ABI.'),
  etag,
  callsBack: callsBack.optional(),
});
export type SmartContractItem = z.infer<typeof SmartContractSchema>;

export const RegisterSmartContractRequestSchema = exactly({
  name: nameField('name').describe('Unique per paymaster.'),
  address: wantedAddress,
  abi: z
    .string({ error: 'abi must be a string' })
    .refine(isJsonArray, { error: 'abi must be a valid JSON ABI' })
    .describe('ABI as JSON text.'),
  whitelistedMethods: whitelistedMethods.optional(),
});
export type RegisterSmartContractRequest = z.infer<typeof RegisterSmartContractRequestSchema>;

export const UpdateSmartContractRequestSchema = exactly({ address: wantedAddress, whitelistedMethods });
export type UpdateSmartContractRequest = z.infer<typeof UpdateSmartContractRequestSchema>;

export const DeleteSmartContractRequestSchema = exactly({ address: wantedAddress });
export type DeleteSmartContractRequest = z.infer<typeof DeleteSmartContractRequestSchema>;

export const FetchedAbiSchema = z.object({
  address: address.describe('Checksummed address.'),
  abi: z.string().describe('ABI as JSON text. For a proxy, the ABI of its implementation.'),
  implementation: address
    .optional()
    .describe('The proxy’s current implementation, which can change. Absent: not a known proxy.'),
});
export type FetchedAbi = z.infer<typeof FetchedAbiSchema>;

const hasNoCode = z
  .literal(true)
  .describe(
    'The chain has no code at the address, so nothing is called there. Absent: it has, or no node said so in time.',
  );

/** How a change of a contract affects the policy's rules; absent if all of them still fit. */
const BrokenRulesSchema = withForm(z.object({ brokenRules: z.array(z.string()) }).optional(), {
  read: (broken) => broken,
  write: ({ brokenRules }: { readonly brokenRules?: readonly string[] }) => brokenRules && { brokenRules },
}).describe(
  'Policy rules on arguments that no longer fit the contract. Its calls are not sponsored until they are fixed.',
);

/** What its owner should know of a new contract; absent if there is nothing. */
const RegisteredSchema = withForm(
  z
    .object({
      brokenRules: z.array(z.string()).optional(),
      callsBack: callsBack.optional(),
      hasNoCode: hasNoCode.optional(),
    })
    .optional(),
  {
    read: (notes) => notes,
    write: ({ brokenRules, callsBack, hasNoCode: isEmpty }: Notes) => {
      const notes = omitAbsent({ brokenRules, callsBack, hasNoCode: isEmpty });
      return Object.keys(notes).length === 0 ? undefined : notes;
    },
  },
).describe(
  '`brokenRules`: policy rules on arguments that do not fit the contract; its calls are not sponsored until they are fixed. `callsBack`: methods that call an address of the caller’s choice. `hasNoCode`: there is no contract at the address yet.',
);
type Notes = {
  readonly brokenRules?: readonly string[];
  readonly callsBack?: readonly string[];
  readonly hasNoCode?: true;
};

const { explorerNotSetUp, smartContractAddressExists, smartContractNameExists, smartContractNotFound } =
  managementErrors;

/** Smart contracts a paymaster may sponsor calls to (interface 4.3). */
export const smartContractOperations = {
  /**
   * Registers a contract, so that the paymaster can sponsor calls to it (interface 4.3). Without `whitelistedMethods` no call
   * is sponsored yet.
   *
   * @example
   * await client.registerSmartContract({ name: 'token', address, abi: erc20Abi, whitelistedMethods: ['transfer'] });
   */
  register: manageOperation('registerSmartContract', {
    method: 'POST',
    path: '/smart-contract',
    summary: 'Register a smart contract',
    credentials: 'paymaster',
    body: RegisterSmartContractRequestSchema,
    bodyLimit: 'abi',
    ignoresUnknown: true,
    message: 'Smart contract registered successfully',
    data: RegisteredSchema,
    errors: [smartContractAddressExists, smartContractNameExists],
    repeatable: false,
    changes: 'contract',
    rpc: 'registerContract',
  }),
  /** The contracts a paymaster may sponsor calls to (interface 4.3). */
  list: readOperation('listSmartContracts', {
    path: '/smart-contract',
    summary: 'List the smart contracts',
    credentials: 'paymaster',
    ignoresUnknown: true,
    message: 'Smart contract list fetched',
    data: z.array(SmartContractSchema),
    streams: 'contracts',
    rpc: 'listContracts',
  }),
  /**
   * The ABI of a verified contract on the paymaster's chain, from the explorer that the operator has configured; for a proxy,
   * that of its implementation. Registers nothing.
   */
  fetchAbi: readOperation('fetchContractAbi', {
    path: '/smart-contract/:address/abi',
    summary: 'Fetch a verified contract’s ABI from the configured explorer',
    credentials: 'paymaster',
    pathParams: z.object({ address: wantedAddress }),
    message: 'ABI fetched',
    data: FetchedAbiSchema,
    errors: [explorerNotSetUp],
  }),
  /** Replaces the whitelisted methods of a contract (interface 4.3). With an empty list no method is sponsored. */
  update: manageOperation('updateSmartContract', {
    method: 'PATCH',
    path: '/smart-contract',
    summary: 'Replace a smart contract’s whitelisted methods',
    credentials: 'paymaster',
    body: UpdateSmartContractRequestSchema,
    ignoresUnknown: true,
    versioned: true,
    message: 'Smart contract updated',
    data: SmartContractSchema,
    errors: [smartContractNotFound],
    // A wrong apiKey gets the answer for a missing contract.
    wrongApiKey: smartContractNotFound,
    repeatable: false,
    changes: 'contract',
    rpc: 'updateContract',
  }),
  /** Deletes a contract: its calls are no longer sponsored (interface 4.3). */
  delete: manageOperation('deleteSmartContract', {
    method: 'DELETE',
    path: '/smart-contract',
    summary: 'Delete a smart contract',
    credentials: 'paymaster',
    body: DeleteSmartContractRequestSchema,
    ignoresUnknown: true,
    versioned: true,
    message: 'Smart contract deleted',
    data: BrokenRulesSchema,
    errors: [smartContractNotFound],
    wrongApiKey: smartContractNotFound,
    repeatable: false,
    changes: 'contract',
    rpc: 'deleteContract',
  }),
} as const;
