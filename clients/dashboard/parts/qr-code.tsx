import { encode } from 'uqr';

/** Light modules around a code, which a reader needs. */
const quiet = 4;

/** A text as a QR code, dark on light in both themes. `what` names it for screen readers. */
export function QrCode({ text, what }: { readonly text: string; readonly what: string }) {
  const { data: rows } = encode(text, { ecc: 'M', border: 0 });
  const side = rows.length + 2 * quiet;
  const dark = rows.flatMap((row, down) =>
    row.flatMap((isDark, right) => (isDark ? [`M${right + quiet} ${down + quiet}h1v1h-1z`] : [])),
  );
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={`QR code: ${what}`}
      shapeRendering="crispEdges"
    >
      <path d={dark.join('')} />
    </svg>
  );
}
