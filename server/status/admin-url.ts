import { readDevTarget } from '../../clients/cli/read-dev-target.ts';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { textFlag } from '../../clients/cli/terminal/text-flag.ts';
import { type HostAndPort, parseHostAndPort } from '../config/listen-address.ts';
import { loadConfig } from '../config/load-config.ts';
import { hasOwnConfig, namesService, withOwnConfig } from '../config/own-config.ts';

/** Wildcard addresses are asked on this machine. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * The admin listener's URL: from `--admin`, else `gateway.adminListen` of the configuration, else that of the `tollfree dev`
 * of the working directory.
 */
export function adminUrl(flags: Flags): URL {
  const given = textFlag(flags, 'admin');
  if (given === undefined) {
    const dev = namesService(flags) || hasOwnConfig(flags) ? undefined : readDevTarget();
    return dev === undefined ? toUrl(loadConfig(withOwnConfig(flags)).gateway.adminListen) : readUrl(dev.adminUrl);
  }
  const address = parseHostAndPort(given);
  return address === undefined ? readUrl(given) : toUrl(address);
}

function toUrl({ host, port }: HostAndPort): URL {
  if (port === 0) {
    throw mistake('The admin listener has port 0, any free port. Name it with --admin; the log shows the address.');
  }
  const name = everywhere.get(host) ?? host;
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}/`);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw mistake('--admin must be host:port, like 127.0.0.1:9464, or an http or https URL without a user name.');
  }
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}
