import { type Project, readGitConfiguration } from "../../../files/find-project.js";
import { hostName } from "../../../processes/runner.js";

/** What is the same for every clone of a repository: the address of its remote. Without one, where it lies on this machine. */
export function repositoryIdentity({ root, home }: Project): string {
  const remote = remoteIn(readGitConfiguration(root) ?? "");
  return remote === undefined ? `${hostName()}:${home}` : normaliseRemote(remote);
}

/** The remote `origin`, else the first one. */
function remoteIn(configuration: string): string | undefined {
  const remotes = [...configuration.matchAll(/^\s*\[remote "(.+?)"\]([^[]*)/gm)].flatMap(
    ([, name, body = ""]) => {
      const url = /^\s*url\s*=\s*"?(.+?)"?\s*$/m.exec(body)?.[1];
      return url === undefined ? [] : [{ name, url }];
    },
  );
  return (remotes.find(({ name }) => name === "origin") ?? remotes[0])?.url;
}

/** `github.com/team/shop` for each of the ways to write it. */
export function normaliseRemote(address: string): string {
  const short = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(address);
  const long = /^[a-z+]+:\/\/(?:[^@/]*@)?([^:/]*)(?::\d+)?\/(.+)$/i.exec(address);
  const [, host = "", path = address] = long ?? short ?? [];
  const plain = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/i, "");
  return host === "" ? plain : `${host.toLowerCase()}/${plain}`;
}
