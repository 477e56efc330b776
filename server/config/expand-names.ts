type Path = readonly PropertyKey[];

/** A configuration with its names replaced, and the original location of each replacement, by `path.join('.')`. */
type Expanded = { readonly value: unknown; readonly origins: ReadonlyMap<string, Path> };

/**
 * Replaces references to signers and price sources in chains by their definitions. Unknown names stay, and the schema
 * refuses them. `value` is not changed.
 */
export function expandNames(value: unknown): Expanded {
  const origins = new Map<string, Path>();
  const copy: unknown = structuredClone(value);
  if (!isObject(copy) || !Array.isArray(copy.chains)) return { value: copy, origins };
  const at = (section: 'signers' | 'priceSources') => (path: Path, name: unknown) => {
    const named = isObject(copy[section]) ? copy[section] : {};
    if (typeof name !== 'string' || !Object.hasOwn(named, name)) return name;
    origins.set(path.join('.'), [section, name]);
    return structuredClone(named[name]);
  };
  copy.chains.forEach((chain: unknown, index) => {
    if (isObject(chain)) expandChain(chain, ['chains', index], { signer: at('signers'), source: at('priceSources') });
  });
  return { value: copy, origins };
}

/** The path of a setting as its author wrote it. */
export function writtenAt({ origins }: Expanded, path: Path): Path {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const origin = origins.get(path.slice(0, depth).join('.'));
    if (origin !== undefined) return [...origin, ...path.slice(depth)];
  }
  return path;
}

type JsonObject = Record<string, unknown>;
type Named = (path: Path, name: unknown) => unknown;

function expandChain(chain: JsonObject, path: Path, { signer, source }: { signer: Named; source: Named }): void {
  if (chain.signer !== undefined) chain.signer = signer([...path, 'signer'], chain.signer);
  if (Array.isArray(chain.signers)) {
    chain.signers = chain.signers.map((one, index) => signer([...path, 'signers', index], one));
  }
  if (isObject(chain.hotWallet)) {
    const { hotWallet } = chain;
    hotWallet.wallet = signer([...path, 'hotWallet', 'wallet'], hotWallet.wallet);
  }
  const expandPrice = (price: unknown, at: Path) => {
    if (!isObject(price) || !Array.isArray(price.sources)) return;
    price.sources = price.sources.map((one, index) => source([...at, 'sources', index], one));
  };
  expandPrice(chain.nativePrice, [...path, 'nativePrice']);
  const tokens = Array.isArray(chain.tokens) ? chain.tokens : [];
  tokens.forEach((token: unknown, index) => {
    if (isObject(token)) expandPrice(token.price, [...path, 'tokens', index, 'price']);
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
