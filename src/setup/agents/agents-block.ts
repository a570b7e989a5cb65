/** What AGENTS.md tells an agent that has no hooks. */
export const agentsBlock = `## Memory of earlier work (Ralph)

Before you start, look up what earlier sessions learned; when you know something that holds, write it down with its reason:

\`\`\`sh
ralph-memory recall "<what you are about to do>"
ralph-memory memory search "<an error, a file or a name>"
ralph-memory memory add "<what holds, and why>" --type fix --tags a,b
\`\`\`

Types: pattern, decision, fix, context. Name the id of an entry that helped you (mem-…, learn-…) in your answer.
`;
