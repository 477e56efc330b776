import type { DevFile } from './dev-file.ts';
import { rpcBody } from './rpc-call.ts';

/** One screen: where everything is, the keys, and a request to paste. */
export function describeDev(
  dev: DevFile,
  parts: { devFile: string; envFile: string; signInLink: string; curl: string; happened: readonly string[] },
): string {
  const paymasters = dev.paymasters.map(
    (paymaster) => `  EntryPoint ${paymaster.entryPointVersion}  version ${paymaster.version}  ${paymaster.rpcUrl}`,
  );
  return [
    '',
    'Tollfree runs on this machine, for development only.',
    '',
    `  HTTP       ${dev.gatewayUrl}`,
    `  dashboard  ${parts.signInLink}`,
    `             (signs you in once, within five minutes; later ${dev.gatewayUrl}/dashboard and the authToken)`,
    `  admin      ${dev.adminUrl} (/livez, /readyz, /metrics)`,
    `  gRPC       ${dev.grpcAddress} (token in ${dev.grpcTokenFile})`,
    `  bundler    ${dev.bundlerUrl} (for development only)`,
    `  chain      ${dev.chain.rpcUrl} (chain id ${dev.chain.chainId})`,
    `  authToken  ${dev.authToken}`,
    `  all of it  ${parts.devFile}`,
    `  .env       ${parts.envFile} (for programs: node --env-file)`,
    '',
    'Paymasters, each with 100 ETH in its gas tank:',
    ...paymasters,
    '',
    'What was just done with them:',
    ...parts.happened.map((line) => `  ${line}`),
    '',
    'Ask for a sponsorship:',
    '',
    parts.curl,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}

/** A request as a command line that works when it is pasted into a shell. */
export function curlCommand(url: string, method: string, params: readonly unknown[]): string {
  const body = rpcBody(method, params).replaceAll("'", "'\\''");
  return `curl -s '${url}' -H 'content-type: application/json' -d '${body}'`;
}
