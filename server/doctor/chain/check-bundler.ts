import { createEndpoint } from '../../../core/node/rpc/create-endpoint.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { configuredContracts } from '../../paymaster-contract/configured-contract.ts';
import { type Check, type Finding, findingsAbout } from '../finding.ts';

/** A look at the chain's bundler, where it has one. */
export function checkBundler(chain: ChainSection): readonly Check[] {
  const about = `chain ${chain.chainId}, bundler`;
  return chain.bundlerUrl === undefined ? [] : [{ about, run: () => lookAt(chain, chain.bundlerUrl ?? '', about) }];
}

async function lookAt(chain: ChainSection, url: string, about: string): Promise<readonly Finding[]> {
  const find = findingsAbout(about);
  const endpoint = createEndpoint(url, chain.callTimeoutMs);
  const ask = (method: string) => endpoint.ask({ method, params: [] }).catch(() => undefined);
  const [chainId, supported] = await Promise.all([ask('eth_chainId'), ask('eth_supportedEntryPoints')]);
  if (!Array.isArray(supported)) {
    const remedy =
      'Check that bundlerUrl belongs to a bundler (ERC-7769). Meanwhile the service uses its own estimates; remove bundlerUrl to always do so.';
    return [find.warning('bundler-silent', 'It does not report which EntryPoints it supports.', remedy)];
  }
  const theirs = new Set(supported.map((address) => String(address).toLowerCase()));
  const missing = configuredContracts(chain).filter(({ entryPoint }) => !theirs.has(entryPoint.toLowerCase()));
  const findings: Finding[] = [];
  if (typeof chainId === 'string' && Number(chainId) !== chain.chainId) {
    findings.push(
      find.failure(
        'bundler-other-chain',
        `It is a bundler of chain ${Number(chainId)}.`,
        'Give the chain a bundlerUrl of its own.',
      ),
    );
  }
  for (const { version, entryPoint } of missing) {
    const message = `It does not support the EntryPoint ${entryPoint} of the contract ${version}.`;
    findings.push(
      find.warning(
        'bundler-entry-point',
        message,
        'Use another bundler; the limits of this one are not used for the contract.',
      ),
    );
  }
  return findings.length > 0 ? findings : [find.ok('bundler', 'It supports the EntryPoints of the chain.')];
}
