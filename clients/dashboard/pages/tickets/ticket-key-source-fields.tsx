import { maxIssuerLength, maxUrlLength } from '@tollfree/contract/limits';
import type { CreateTicketKeyRequest } from '@tollfree/contract/ticket-key';
import { TextInput } from '../../parts/text-input.tsx';

/** The typed source of a key that is not created here. */
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

/** Fields for the user's own key, or for a login provider's. Empty for a key created here. */
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

/** Secret members of a JSON Web Key (RFC 7517 and 7518). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

type PublicKeyText = { readonly key: Readonly<Record<string, unknown>> } | { readonly mistake: string };

/** Parses a pasted public JSON Web Key. A key with secret members must not leave the browser. */
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
