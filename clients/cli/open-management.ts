import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
import { readChosenPaymaster } from './chosen-paymaster.ts';
import { devFilePath, readDevTarget } from './read-dev-target.ts';
import { type CliError, mistake } from './terminal/cli-error.ts';
import { type Environment, processEnvironment } from './terminal/environment.ts';
import type { Flags } from './terminal/flags.ts';
import { readNamedFile } from './terminal/read-file.ts';

type OpenManagement = ManagementTarget & { readonly client: ManagementClient };

/** The management API of the service from the flags. */
export function openManagement(flags: Flags): OpenManagement {
  const target = findManagementTarget(flags);
  if (target.notice !== undefined) process.stderr.write(`${target.notice}\n`);
  const { baseUrl, authToken, apiKey } = target;
  return { ...target, client: createManagementClient({ baseUrl, authToken, apiKey }) };
}

/**
 * {@link openManagement} for a command that requires a paymaster: that of `--paymaster`, else of the apiKey, else the chosen one of
 * `tollfree use`.
 */
export async function openPaymaster(
  flags: Flags,
  { apiKey, ...opened }: OpenManagement = openManagement(flags),
): Promise<OpenManagement & { readonly apiKey: string }> {
  const named = given(flags.paymaster) ?? opened.chosen;
  if (named !== undefined) {
    const { apiKey: ofNamed } = await findPaymaster(opened.client, named);
    const { baseUrl, authToken } = opened;
    return { ...opened, apiKey: ofNamed, client: createManagementClient({ baseUrl, authToken, apiKey: ofNamed }) };
  }
  if (apiKey === undefined) throw missingApiKey();
  return { ...opened, apiKey };
}

/** {@link openPaymaster} for a command that needs the paymaster's id. */
export async function openPaymasterId(
  flags: Flags,
): Promise<{ readonly client: ManagementClient; readonly paymasterId: string }> {
  const { client, apiKey } = await openPaymaster(flags);
  const paymaster = (await client.listPaymasters()).find((listed) => listed.apiKey === apiKey);
  if (paymaster === undefined) throw mistake('This account has no paymaster with this apiKey.');
  return { client, paymasterId: paymaster.paymasterId };
}

/** {@link openManagement} for a command whose argument names a paymaster, by its id or its name. */
export async function openNamed(
  named: string,
  flags: Flags,
): Promise<{ readonly client: ManagementClient; readonly paymasterId: string }> {
  const { client } = openManagement(flags);
  if (uuidForm.test(named)) return { client, paymasterId: named };
  return { client, paymasterId: (await findPaymaster(client, named)).paymasterId };
}

/** Whether a command with these flags acts on this paymaster without `--paymaster`. */
export function actsWithoutFlag(flags: Flags, { apiKey, paymasterId }: PaymasterItem): boolean {
  const usual = findManagementTarget({ ...flags, apiKey: undefined });
  return usual.chosen === undefined ? usual.apiKey === apiKey : usual.chosen === paymasterId;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The account's paymaster with this id or name. A name is unique on a chain only, and retired ones may have it too. */
export async function findPaymaster(client: ManagementClient, named: string): Promise<PaymasterItem> {
  const all = await client.listPaymasters();
  const found = all.filter(({ paymasterId, name }) => paymasterId === named || name === named);
  const [only, ...others] = found.length > 1 ? found.filter(({ retiredAt }) => retiredAt === undefined) : found;
  if (only === undefined)
    throw mistake(`This account has no paymaster "${named}". \`tollfree paymaster list\` shows them.`);
  if (others.length === 0) return only;
  const ids = [only, ...others].map(({ paymasterId, chainId }) => `${paymasterId} (chain ${chainId})`);
  throw mistake(`Several paymasters are named "${named}". Use the id of one: ${ids.join(', ')}.`);
}

/** The error for a command that requires a paymaster, when none is named. */
export function missingApiKey(): CliError {
  return mistake(
    'The paymaster is missing: --paymaster <name or id>, or `tollfree use <name or id>` once. `tollfree paymaster list` shows them.',
  );
}

/** The service and account that a management command works on. */
type ManagementTarget = {
  readonly baseUrl: string;
  readonly authToken: string;
  /** The paymaster, for commands that act on one. */
  readonly apiKey: string | undefined;
  /** The id of the paymaster that `tollfree use` chose, if neither a flag nor the environment names an apiKey. */
  readonly chosen: string | undefined;
  /** Printed before the command runs, if the user did not name the target. */
  readonly notice?: string;
};

/**
 * Finds the target: flag > environment, else the `tollfree dev` of the working directory. A development service gets its own
 * authToken and never the one of the environment, which belongs to another service; an apiKey selects one of its paymasters.
 */
function findManagementTarget(flags: Flags, environment: Environment = processEnvironment()): ManagementTarget {
  const baseUrl = given(flags.url) ?? given(environment.TOLLFREE_URL);
  const authTokenFile = given(flags.authTokenFile);
  const fromFile = authTokenFile === undefined ? undefined : readAuthToken(authTokenFile);
  const apiKey = given(flags.apiKey) ?? given(environment.TOLLFREE_API_KEY);
  if (baseUrl === undefined) return devTarget(apiKey, fromFile);
  const chosen = apiKey === undefined ? readChosenPaymaster(baseUrl)?.paymasterId : undefined;
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw mistake('--url must be an http or https URL, like --url https://gas.example.org.');
  }
  const authToken = fromFile ?? given(environment.TOLLFREE_AUTH_TOKEN);
  if (authToken === undefined) {
    throw mistake('The authToken is missing. Name a file with --auth-token-file, or set TOLLFREE_AUTH_TOKEN.');
  }
  return { baseUrl, authToken, apiKey, chosen };
}

function devTarget(apiKey: string | undefined, authTokenFromFile: string | undefined): ManagementTarget {
  const dev = readDevTarget();
  if (dev === undefined) {
    throw mistake('Name the service with --url https://gas.example.org, or start one here with `tollfree dev`.');
  }
  const chosen = apiKey === undefined ? readChosenPaymaster(dev.gatewayUrl) : undefined;
  const usual = chosen ?? dev.paymaster;
  const paymaster = apiKey === undefined && usual !== undefined ? `, paymaster ${usual.name}` : '';
  return {
    baseUrl: dev.gatewayUrl,
    authToken: authTokenFromFile ?? dev.authToken,
    apiKey: apiKey ?? dev.paymaster?.apiKey,
    chosen: chosen?.paymasterId,
    notice: `Using the development service at ${dev.gatewayUrl}${paymaster} (${devFilePath}).`,
  };
}

function readAuthToken(file: string): string {
  const authToken = readNamedFile(file, 'The authToken file').trim();
  if (!/^[\x21-\x7e]+$/.test(authToken)) throw mistake(`The authToken file ${file} does not hold an authToken.`);
  return authToken;
}

/** Empty text counts as absent, e.g. for an empty variable. */
function given(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
