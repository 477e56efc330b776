import { maxIssuerLength, maxUrlLength } from '@tollfree/contract/limits';
import type { CreateTicketKeyRequest } from '@tollfree/contract/ticket-key';
import { TextInput } from '../../parts/text-input.tsx';

/** Where a key that is not made here comes from, as it was typed. */
export type TicketKeySource = {
  readonly publicKey: string;
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
};

export const noSource: TicketKeySource = { publicKey: '', jwksUrl: '', issuer: '', audience: '' };

type TicketKeySourceFieldsProps = {
  readonly kind: CreateTicketKeyRequest['kind'];
  readonly source: TicketKeySource;
  readonly onChange: (source: TicketKeySource) => void;
};

/** Asks for what a key of one's own, or those of a login, need. Nothing for a key that is made here. */
export function TicketKeySourceFields({ kind, source, onChange }: TicketKeySourceFieldsProps) {
  if (kind !== 'JWK' && kind !== 'JWKS') return null;
  const set = (field: keyof TicketKeySource) => (value: string) => onChange({ ...source, [field]: value });
  const isLogin = kind === 'JWKS';
  return (
    <>
      {isLogin ? (
        <TextInput
          label="Address of its keys (JWKS URL)"
          placeholder="https://"
          hint="Your provider calls it “jwks_uri”. It must be https and public, unless the operator allows others."
          isRequired
          maxLength={maxUrlLength}
          value={source.jwksUrl}
          onChange={set('jwksUrl')}
        />
      ) : (
        <TextInput
          label="Public key (JWK)"
          placeholder='{"kty":"EC","crv":"P-256","x":"…","y":"…"}'
          hint="As JSON, without its private half: RSA of 2048 bits or more, P-256, P-384, P-521 or Ed25519."
          isRequired
          isCode
          rows={5}
          value={source.publicKey}
          onChange={set('publicKey')}
          check={(text) => {
            const read = readPublicKey(text);
            return 'mistake' in read ? read.mistake : undefined;
          }}
        />
      )}
      <div className="form-row">
        <TextInput
          label="Issuer (iss)"
          hint={isLogin ? 'Who signs, exactly as in your provider’s tokens.' : 'Empty: not checked.'}
          isRequired={isLogin}
          maxLength={maxIssuerLength}
          value={source.issuer}
          onChange={set('issuer')}
        />
        <TextInput
          label="Audience (aud)"
          hint={isLogin ? 'The id of your application at your provider.' : 'Empty: the id of this paymaster.'}
          isRequired={isLogin}
          maxLength={maxIssuerLength}
          value={source.audience}
          onChange={set('audience')}
        />
      </div>
    </>
  );
}

/** Members of a JSON Web Key that are secret (RFC 7517 and 7518). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

type PublicKeyText = { readonly key: Readonly<Record<string, unknown>> } | { readonly mistake: string };

/** Reads a public JSON Web Key that was pasted. One with a secret half must not leave the browser. */
export function readPublicKey(text: string): PublicKeyText {
  const key = parse(text);
  if (typeof key !== 'object' || key === null || !('kty' in key)) {
    return { mistake: 'This is not a JSON Web Key. It should be JSON like {"kty":"EC", … }.' };
  }
  if (secretMembers.some((member) => member in key)) {
    return {
      mistake: 'This key contains its private half. Paste only the public half, and keep the private half secret.',
    };
  }
  return { key: { ...key } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
