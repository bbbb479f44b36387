/** The keys of a shortcut as they are labelled. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-7 rounded-sm border border-line bg-paper px-1.5 text-center font-sans text-sm leading-6"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
