/** The mark: two corner brackets that face each other, with the space for speech between them. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="currentColor">
      <path d="M3 3h11v4H7v8H3zM21 21H10v-4h7V9h4z" />
    </svg>
  );
}

/** The mark beside a name, on whose baseline it stands. */
export function StandingMark() {
  return (
    <span className="-translate-y-0.5">
      <Mark size={20} />
    </span>
  );
}
