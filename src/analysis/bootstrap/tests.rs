use super::*;

fn differences() -> Vec<f64> {
    (0..400)
        .map(|at| f64::from(at * 37 % 101) / 100.0 - 0.4)
        .collect()
}

fn of(groups: &Groups) -> Studentised {
    studentised(&[groups], Draws::default()).remove(0).unwrap()
}

/// The interval of a mean over many values is that of the normal distribution: mean +- 1.96
/// standard errors, up to the noise of 10,000 resamples.
#[test]
fn many_values_come_near_the_normal_interval() {
    let groups = Groups::single(differences());
    let (mean, error) = (groups.mean().unwrap(), groups.error().unwrap());
    let [low, high] = interval(&groups, UNBOUNDED, Draws::default()).unwrap();
    assert!((low - (mean - 1.96 * error)).abs() < 0.1 * error, "{low}");
    assert!((high - (mean + 1.96 * error)).abs() < 0.1 * error, "{high}");
}

/// Each value five times over is no further evidence when the five are drawn together, whether
/// clusters are of one size or, by one more value that hardly counts, of two.
#[test]
fn repeated_values_drawn_together_do_not_narrow_the_interval() {
    let values = differences();
    let width = |groups: &Groups| {
        let [low, high] = interval(groups, UNBOUNDED, Draws::default()).unwrap();
        high - low
    };
    let once = width(&Groups::single(values.clone()));
    let mut fivefold: Vec<f64> = values.iter().flat_map(|&v| [v; 5]).collect();
    let mut labels: Vec<u32> = (0..2000).map(|at| at / 5).collect();
    let apart = width(&Groups::single(fivefold.clone()));
    assert!((apart / once - 1.0 / 5.0_f64.sqrt()).abs() < 0.03);
    assert!((width(&Groups::labelled(&fivefold, &labels)) / once - 1.0).abs() < 1e-9);
    fivefold.push(0.0);
    labels.push(400);
    assert!((width(&Groups::labelled(&fivefold, &labels)) / once - 1.0).abs() < 0.05);
}

#[test]
fn the_seed_decides_and_neither_threads_nor_company() {
    let groups = Groups::single(differences());
    let other = Groups::single(differences().iter().map(|d| d * d).collect());
    let of = |seed, threads, company: &[&Groups]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let draws = Draws {
            resamples: 500,
            seed,
        };
        let all = pool
            .build()
            .unwrap()
            .install(|| studentised(company, draws));
        all[0].as_ref().map(|one| one.interval(LEVEL))
    };
    assert_eq!(of(1, 1, &[&groups]), of(1, 3, &[&groups, &other]));
    assert_ne!(of(1, 1, &[&groups]), of(2, 1, &[&groups]));
}

/// Three of a thousand differ: too few to resample. Fewer resamples than a tail needs: likewise.
#[test]
fn students_t_takes_over_where_resamples_tell_too_little() {
    let mut values = vec![0.0; 1000];
    values[..3].fill(1.0);
    let few = of(&Groups::single(values));
    let told = few.interval(LEVEL);
    let t = ttest::upper_quantile(0.025, 999.0) * few.error;
    assert_eq!(told.width, Width::StudentT);
    assert!((told.ends[0] - (few.mean - t)).abs() < 1e-12);
    let many = of(&Groups::single(differences()));
    assert_eq!(many.interval(LEVEL).width, Width::BootstrapT);
    assert_eq!(many.interval(0.002).width, Width::BootstrapT);
    assert_eq!(many.interval(0.0019).width, Width::StudentT);
    let wider = many.interval(0.002).ends;
    let [low, high] = many.interval(LEVEL).ends;
    assert!(wider[0] < low && wider[1] > high);
}

const POINTS: [f64; 2] = [-1.0, 1.0];

fn wins(count: usize, queries: usize) -> Groups {
    let of = |at| f64::from(u8::from(at < count));
    Groups::single((0..queries).map(of).collect())
}

/// Four wins of a thousand: (4 + 1) and (0 + 1) of 1,002, whose variance has the denominator 1,001; of a thousand ties
/// likewise, and no narrower interval has more wins.
#[test]
fn few_differences_are_joined_by_a_win_and_a_loss() {
    let ends = |count| interval(&wins(count, 1000), POINTS, Draws::default()).unwrap();
    for count in [0, 4] {
        let mean = count as f64 / 1002.0;
        let variance = ((count + 2) as f64 / 1002.0 - mean * mean) / 1001.0;
        let half = ttest::upper_quantile(0.025, 1001.0) * variance.sqrt();
        for (found, expected) in ends(count).into_iter().zip([mean - half, mean + half]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
    let widths: Vec<f64> = (0..6)
        .map(|count| ends(count)[1] - ends(count)[0])
        .collect();
    assert!(widths.is_sorted(), "{widths:?}");
    let bounded = of(&wins(4, 1000)).bounded_by(POINTS, &wins(4, 1000));
    assert_eq!(bounded.interval(LEVEL).width, Width::Extended);
    // In two parts of unlike size: the mean of their means is kept.
    let parts = Groups::in_parts(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], None, &[2, 6]);
    let alone = parts.with_two_more(1.0).unwrap();
    assert!((alone.mean().unwrap() - 0.25 * 6.0 / 8.0).abs() < 1e-12);
    // Of clusters that are larger than what differs in them, a win is no whole cluster.
    let labels: Vec<u32> = (0..100).map(|at| at / 10).collect();
    let values: Vec<f64> = (0..100).map(|at| f64::from(u8::from(at == 7))).collect();
    let found = Groups::labelled(&values, &labels)
        .with_two_more(1.0)
        .unwrap();
    assert!((found.mean().unwrap() - 0.01 * 10.0 / 12.0).abs() < 1e-12);
    let squares = (3.0 * 0.01 - 12.0 * found.mean().unwrap().powi(2)) / 11.0;
    assert!((found.error().unwrap() - (squares / 12.0).sqrt()).abs() < 1e-12);
}

/// `numpy.quantile` of the ratios, by its definition: 501 places, 12.5 from either end.
#[test]
fn quantiles_lie_between_two_values() {
    let tail = [1.0, 2.0, 4.0, 8.0];
    assert!((from_end(tail.iter(), 1.5) - 3.0).abs() < 1e-12);
    assert!((from_end(tail.iter().rev(), 0.25) - 7.0).abs() < 1e-12);
    assert!((from_end(tail.iter(), 3.0) - 8.0).abs() < 1e-12);
}

#[test]
fn degenerate_samples() {
    let of = |values: &[f64]| {
        interval(
            &Groups::single(values.to_vec()),
            UNBOUNDED,
            Draws::default(),
        )
    };
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[0.5]), None);
    assert_eq!(of(&[0.5, 0.5, 0.5, 0.5]), None);
    let none = Draws {
        resamples: 0,
        seed: 0,
    };
    let told = studentised(&[&Groups::single(vec![1.0, 2.0])], none).remove(0);
    assert_eq!(told.unwrap().interval(LEVEL).width, Width::StudentT);
}

/// `scipy.stats.binomtest(0, 10).proportion_ci(method="exact")` is 0 to 0.308..: what others may be, half way to the
/// ends of the range.
#[test]
fn values_that_do_not_vary_leave_room_for_others() {
    let half = Groups::single(vec![0.5; 10]);
    let [low, high] = interval(&half, [0.0, 1.0], Draws::default()).unwrap();
    let unseen = 0.30849710781876083 / 2.0;
    assert!((low - (0.5 - unseen)).abs() < 1e-12 && (high - (0.5 + unseen)).abs() < 1e-12);
    let apart = Groups::in_parts(&[0.0, 0.5, 0.0], None, &[1, 3]);
    assert_eq!(constant(&apart, [0.0, 1.0]), None);
    let alike = Groups::labelled(&[0.5; 6], &[0, 0, 0, 1, 1, 2]);
    assert!(constant(&alike, [0.0, 1.0]).is_some());
}
