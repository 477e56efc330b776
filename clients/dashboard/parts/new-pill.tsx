type NewPillProps = {
  /** Such as `12 new`. */
  readonly text: string;
  readonly isShown: boolean;
  readonly onPress: () => void;
};

/** Rows that came meanwhile go into a list when this is pressed: what is being read stays where it is. */
export function NewPill({ text, isShown, onPress }: NewPillProps) {
  return (
    <div className="pill-place">
      {isShown ? (
        <button type="button" className="chip" aria-label={`Show ${text}`} onClick={onPress}>
          {text}
        </button>
      ) : null}
    </div>
  );
}
