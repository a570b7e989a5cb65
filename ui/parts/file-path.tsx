/** A path that breaks between its folders if it is too long for a line. */
export function FilePath({ path }: { path: string }) {
  const [first, ...rest] = path.split("/");
  return (
    <code>
      {first}
      {rest.map((name, index) => (
        <span key={`${index} ${name}`}>
          /<wbr />
          {name}
        </span>
      ))}
    </code>
  );
}
