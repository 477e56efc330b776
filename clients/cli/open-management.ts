import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
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

/** {@link openManagement} for a command that requires a paymaster. */
export function openPaymaster(flags: Flags): OpenManagement & { readonly apiKey: string } {
  const { apiKey, ...opened } = openManagement(flags);
  if (apiKey === undefined) throw missingApiKey();
  return { ...opened, apiKey };
}

/** The error for a command that requires a paymaster, when none is named. */
export function missingApiKey(): CliError {
  return mistake(
    'The apiKey of the paymaster is missing: --api-key <key>, or TOLLFREE_API_KEY. `tollfree paymaster list` shows it.',
  );
}

/** The service and account that a management command works on. */
type ManagementTarget = {
  readonly baseUrl: string;
  readonly authToken: string;
  /** The paymaster, for commands that act on one. */
  readonly apiKey: string | undefined;
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
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw mistake('--url must be an http or https URL, like --url https://gas.example.org.');
  }
  const authToken = fromFile ?? given(environment.TOLLFREE_AUTH_TOKEN);
  if (authToken === undefined) {
    throw mistake('The authToken is missing. Name a file with --auth-token-file, or set TOLLFREE_AUTH_TOKEN.');
  }
  return { baseUrl, authToken, apiKey };
}

function devTarget(apiKey: string | undefined, authTokenFromFile: string | undefined): ManagementTarget {
  const dev = readDevTarget();
  if (dev === undefined) {
    throw mistake('Name the service with --url https://gas.example.org, or start one here with `tollfree dev`.');
  }
  const paymaster = apiKey === undefined && dev.paymaster !== undefined ? `, paymaster ${dev.paymaster.name}` : '';
  return {
    baseUrl: dev.gatewayUrl,
    authToken: authTokenFromFile ?? dev.authToken,
    apiKey: apiKey ?? dev.paymaster?.apiKey,
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
