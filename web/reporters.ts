/** Reporters of Vitest: lines for people, and a JUnit file where `cargo xtask test` asks for one. */
type Reporter = "default" | ["junit", { outputFile: string }];

/** The name tells the packages' files apart. */
export function reporters(name: string): Reporter[] {
  const folder = process.env.XTASK_REPORTS;
  return folder === undefined ? ["default"] : ["default", ["junit", { outputFile: `${folder}/${name}.xml` }]];
}
