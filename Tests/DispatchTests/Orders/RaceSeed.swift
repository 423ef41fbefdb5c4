import TestKit
import Testing

extension Trait where Self == IssueHandlingTrait {
    /// Every failure of the suite says by which seed its delays are run again.
    static var seeded: Self {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append(Comment(rawValue: "\(RaceDelay.seed)"))
            return issue
        }
    }
}
