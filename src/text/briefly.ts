const deepPath = /(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][\w@.+-]+){3,}[/\\]([\w@.+-]+)/g;
const sqlBeforeMessage =
  /^((?:[\w.]*[Ee]rror: )?)(?:alter|create|insert|update|delete|select|drop)\s.{10,}? - (?=\w)/is;

/** A failure's message without what takes room and helps nobody else: folders of a machine, the SQL that failed. */
export function briefly(message: string): string {
  return message.replace(sqlBeforeMessage, "$1").replace(deepPath, "…/$1");
}
