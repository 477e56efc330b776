/** A shortened address or hash, with the full text on hover and copy. */
export function Short({ hex }: { readonly hex: string }) {
  const short = hex.length > 16 ? `${hex.slice(0, 8)}…${hex.slice(-6)}` : hex;
  return (
    <code title={hex} className="short">
      {short}
    </code>
  );
}
