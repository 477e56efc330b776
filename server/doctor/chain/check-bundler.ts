import type { BundlerConfig } from '../../../core/domain/chain-config.ts';
import { createEndpoint } from '../../../core/node/rpc/create-endpoint.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { configuredContracts } from '../../paymaster-contract/configured-contract.ts';
import { type Check, type Finding, findingsAbout } from '../finding.ts';

export function checkBundler(chain: ChainSection): readonly Check[] {
  const about = `chain ${chain.chainId}, bundler`;
  const { bundler } = chain;
  return bundler === undefined ? [] : [{ about, run: () => lookAt(chain, bundler, about) }];
}

async function lookAt(chain: ChainSection, { url, expose }: BundlerConfig, about: string): Promise<readonly Finding[]> {
  const find = findingsAbout(about);
  // The service works without its estimates, but operations that clients send have no alternative.
  const findBad = expose === 'NONE' ? find.warning : find.failure;
  const endpoint = createEndpoint(url, chain.callTimeoutMs);
  const ask = (method: string) => endpoint.ask({ method, params: [] }).catch(() => undefined);
  const [chainId, supported] = await Promise.all([ask('eth_chainId'), ask('eth_supportedEntryPoints')]);
  if (!Array.isArray(supported)) {
    const remedy =
      expose === 'NONE'
        ? 'Check that bundlerUrl belongs to a bundler (ERC-7769). Meanwhile the service uses its own estimates; remove bundlerUrl to always do so.'
        : 'Check that bundler.url belongs to a bundler (ERC-7769). Clients cannot send operations before it responds. To send them elsewhere, set bundler.expose to NONE.';
    return [findBad('bundler-silent', 'It does not report which EntryPoints it supports.', remedy)];
  }
  const theirs = new Set(supported.map((address) => String(address).toLowerCase()));
  const missing = configuredContracts(chain).filter(({ entryPoint }) => !theirs.has(entryPoint.toLowerCase()));
  const findings: Finding[] = [];
  if (typeof chainId === 'string' && Number(chainId) !== chain.chainId) {
    findings.push(
      find.failure(
        'bundler-other-chain',
        `It is a bundler of chain ${Number(chainId)}.`,
        'Give the chain a bundlerUrl (or bundler.url) of its own.',
      ),
    );
  }
  for (const { version, entryPoint } of missing) {
    const message = `It does not support the EntryPoint ${entryPoint} of the contract ${version}.`;
    const remedy =
      expose === 'NONE'
        ? 'Use another bundler; the limits of this one are not used for the contract.'
        : 'Use another bundler, or have this one support the EntryPoint. It does not take operations of the contract.';
    findings.push(findBad('bundler-entry-point', message, remedy));
  }
  return findings.length > 0 ? findings : [find.ok('bundler', 'It supports the EntryPoints of the chain.')];
}
